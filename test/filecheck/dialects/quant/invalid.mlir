// What quant refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

// expected-error@below {{expected a type of codes, such as i8 or u8}}
func.func private @f() -> !quant.uniform<index:f32, 0.5>
// -----
// expected-error@below {{expected}}
func.func private @f() -> !quant.uniform<i8:f32, {0.5}>
// -----
// expected-error@below {{codes from -129 to 127 are none of i8, from -128 to 127}}
func.func private @f() -> !quant.uniform<i8<-129:127>:f32, 0.5>
