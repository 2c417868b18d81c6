"""Products as other products: codes and digits in the place of f32, several as one."""
