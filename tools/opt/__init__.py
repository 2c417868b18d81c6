"""What `opt-tool` is made of besides passes: its options, what it prints, and what it tells of passes."""
