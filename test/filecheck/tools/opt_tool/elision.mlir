// Elements of large constants are left out on request (and on terminals), which the text says; they cannot be read back.
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=3 | filecheck %s
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=3 --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=4 | filecheck %s --check-prefix=ALL
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=-1 | filecheck %s --check-prefix=ALL
// RUN: opt-tool %s | filecheck %s --check-prefix=ALL
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=3 | not opt-tool 2>&1 | filecheck %s --check-prefix=READ
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=3 --mlir-print-op-generic | not opt-tool 2>&1 | filecheck %s --check-prefix=READ
// RUN: opt-tool %s --mlir-elide-elementsattrs-if-larger=3 -o %t.mlir && not opt-tool %t.mlir 2>&1 | filecheck %s --check-prefix=READ

// CHECK: nn.constant {nn.name = "w"} dense_resource<__elided__> : tensor<4xi8>
// CHECK-NEXT: arith.constant dense_resource<__elided__> : tensor<2x2xf32>
// CHECK-NEXT: nn.constant dense<7> : tensor<9xi8>
// CHECK-NEXT: nn.constant dense<[1, 2, 3]> : tensor<3xi8>
// CHECK: // 2 constants have more than 3 elements, which are left out; --mlir-elide-elementsattrs-if-larger=-1 shows them
// GENERIC: "nn.constant"() <{value = #nn.blob<dense_resource<__elided__> : tensor<4xi8>>}>
// ALL-NOT: elided
// READ: :{{[0-9]+:[0-9]+}}: error: the elements of this constant were left out when it was printed; print the module with --mlir-elide-elementsattrs-if-larger=-1, or into a file with -o
%0 = nn.constant {nn.name = "w"} dense<[1, 2, 3, 4]> : tensor<4xi8>
%1 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
%2 = nn.constant dense<7> : tensor<9xi8>
%3 = nn.constant dense<[1, 2, 3]> : tensor<3xi8>
