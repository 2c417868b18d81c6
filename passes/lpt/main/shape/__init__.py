"""Operations that look at data in another shape."""
