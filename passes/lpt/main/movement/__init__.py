"""Operations that move elements."""
