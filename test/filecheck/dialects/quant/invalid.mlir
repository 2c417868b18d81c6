// What quant refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --parsing-diagnostics --verify-diagnostics | filecheck %s

// CHECK: expected a type of codes, such as i8 or u8
func.func private @f() -> !quant.uniform<index:f32, 0.5>
// -----
// CHECK: expected
func.func private @f() -> !quant.uniform<i8:f32, {0.5}>
