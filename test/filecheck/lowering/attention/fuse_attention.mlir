// RUN: opt-tool %s --split-input-file --fuse-attention | filecheck %s

// Bodies become regions; what divides by the total reads the row's.
// CHECK-LABEL: @fuses
// CHECK-NEXT:  %y = kernel.attention [200, 8] keys 300 weights f32 query(%q : tensor<200x8xf32>) key(%k : tensor<300x8xf32>) value(%v : tensor<8x300xf32>) masks() mask_access [] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> score {
// CHECK:         arith.mulf
// CHECK:       } power {
// CHECK:         math.exp
// CHECK:       } total {
// CHECK-NEXT:  ^bb0(%[[SUM:.*]]: f32):
// CHECK-NEXT:    kernel.yield %[[SUM]] : f32
// CHECK-NEXT:  } weight {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:    kernel.yield %[[P]] : f32
// CHECK-NEXT:  } finish {
// CHECK-NEXT:  ^bb0(%[[S:.*]]: f32, %[[T:.*]]: f32):
// CHECK-NEXT:    %[[R:.*]] = arith.divf %[[S]], %[[T]] : f32
// CHECK-NEXT:    kernel.yield %[[R]] : f32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return
func.func @fuses(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xf32>) -> (tensor<200x8xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%p : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%p : tensor<200x300xf32>) b(%v : tensor<8x300xf32>) ins(%t : tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<200x8xf32>
}

// -----

// A mask belongs to scores; weights that are codes are made of powers and their total.
// CHECK-LABEL: @masks_and_codes
// CHECK-NEXT:  %y = kernel.attention [200, 8] keys 300 weights ui8 query(%q : tensor<200x8xf32>) key(%k : tensor<300x8xf32>) value(%v : tensor<8x300xi8>) masks(%mask : tensor<300xi1>) mask_access [affine_map<(d0, d1) -> (d1)>] ins() outs()
// CHECK:       ^bb0(%{{.*}}: f32, %[[KEEP:.*]]: i1):
// CHECK:         arith.select %[[KEEP]]
// CHECK:       } weight {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: f32, %[[T:.*]]: f32):
// CHECK-NEXT:    arith.divf %[[P]], %[[T]] : f32
// CHECK:         kernel.yield %{{.*}} : i32
// CHECK:       } finish {
// CHECK-NEXT:  ^bb0(%{{.*}}: i32, %{{.*}}: f32):
func.func @masks_and_codes(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xi8>, %mask: tensor<300xi1>) -> (tensor<200x8xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins(%mask : tensor<300xi1>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32, %keep: i1):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    %minus = arith.constant 0xff800000 : f32
    %r = arith.select %keep, %scaled, %minus : f32
    kernel.yield %r : f32
  }
  %m = kernel.reduce "max" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%p : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %w = kernel.map [200, 300] ins(%p, %t : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xui8> {
  ^bb0(%e: f32, %total: f32):
    %part = arith.divf %e, %total : f32
    %most = arith.constant 255.0 : f32
    %level = arith.mulf %part, %most : f32
    %round = math.roundeven %level : f32
    %code = arith.fptosi %round : f32 to i32
    kernel.yield %code : i32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%w : tensor<200x300xui8>) b(%v : tensor<8x300xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: i32):
    %r = arith.sitofp %sum : i32 to f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<200x8xf32>
}

// -----

// What the weights are scaled by may be an operand.
// CHECK-LABEL: @scales
// CHECK-NEXT:  %y = kernel.attention [200, 8] keys 300 weights ui8 query(%q : tensor<200x8xf32>) key(%k : tensor<300x8xf32>) value(%v : tensor<8x300xi8>) masks() mask_access [] scales(%scale : tensor<1xf32>) ins() outs()
// CHECK:       } weight {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: f32, %[[T:.*]]: f32, %[[SCALE:.*]]: f32):
// CHECK-NEXT:    arith.divf %[[P]], %[[T]] : f32
// CHECK-NEXT:    arith.mulf %{{.*}}, %[[SCALE]] : f32
func.func @scales(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xi8>, %scale: tensor<1xf32>) -> (tensor<200x8xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%p : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %w = kernel.map [200, 300] ins(%p, %t, %scale : tensor<200x300xf32>, tensor<200x1xf32>, tensor<1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xui8> {
  ^bb0(%e: f32, %total: f32, %most: f32):
    %part = arith.divf %e, %total : f32
    %level = arith.mulf %part, %most : f32
    %round = math.roundeven %level : f32
    %code = arith.fptosi %round : f32 to i32
    kernel.yield %code : i32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%w : tensor<200x300xui8>) b(%v : tensor<8x300xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: i32):
    %r = arith.sitofp %sum : i32 to f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<200x8xf32>
}

// -----

// A scale for each key.
// CHECK-LABEL: @scale_of_keys
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @scale_of_keys(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xi8>, %scale: tensor<300xf32>) -> (tensor<200x8xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%p : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %w = kernel.map [200, 300] ins(%p, %t, %scale : tensor<200x300xf32>, tensor<200x1xf32>, tensor<300xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xui8> {
  ^bb0(%e: f32, %total: f32, %most: f32):
    %part = arith.divf %e, %total : f32
    %level = arith.mulf %part, %most : f32
    %round = math.roundeven %level : f32
    %code = arith.fptosi %round : f32 to i32
    kernel.yield %code : i32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%w : tensor<200x300xui8>) b(%v : tensor<8x300xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: i32):
    %r = arith.sitofp %sum : i32 to f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<200x8xf32>
}

// -----

// Scores that stay in a first-level cache.
// CHECK-LABEL: @few_scores
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @few_scores(%q: tensor<20x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xf32>) -> (tensor<20x8xf32>) {
  %s = kernel.mat_mul [20, 300] groups 1 a(%q : tensor<20x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<20x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [20, 1] window [300] x(%s : tensor<20x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<20x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [20, 300] ins(%s, %m : tensor<20x300xf32>, tensor<20x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<20x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [20, 1] window [300] x(%p : tensor<20x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<20x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [20, 8] groups 1 a(%p : tensor<20x300xf32>) b(%v : tensor<8x300xf32>) ins(%t : tensor<20x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<20x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<20x8xf32>
}

// -----

// Few rows: keys would be packed for a single use.
// CHECK-LABEL: @few_rows
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @few_rows(%q: tensor<31x8xf32>, %k: tensor<2000x8xf32>, %v: tensor<8x2000xf32>) -> (tensor<31x8xf32>) {
  %s = kernel.mat_mul [31, 2000] groups 1 a(%q : tensor<31x8xf32>) b(%k : tensor<2000x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<31x2000xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [31, 1] window [2000] x(%s : tensor<31x2000xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<31x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [31, 2000] ins(%s, %m : tensor<31x2000xf32>, tensor<31x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<31x2000xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [31, 1] window [2000] x(%p : tensor<31x2000xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<31x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [31, 8] groups 1 a(%p : tensor<31x2000xf32>) b(%v : tensor<8x2000xf32>) ins(%t : tensor<31x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<31x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<31x8xf32>
}

// -----

// No room for the scores of a few rows.
// CHECK-LABEL: @many_keys
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @many_keys(%q: tensor<32x8xf32>, %k: tensor<8193x8xf32>, %v: tensor<8x8193xf32>) -> (tensor<32x8xf32>) {
  %s = kernel.mat_mul [32, 8193] groups 1 a(%q : tensor<32x8xf32>) b(%k : tensor<8193x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<32x8193xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [32, 1] window [8193] x(%s : tensor<32x8193xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<32x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [32, 8193] ins(%s, %m : tensor<32x8193xf32>, tensor<32x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<32x8193xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [32, 1] window [8193] x(%p : tensor<32x8193xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<32x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [32, 8] groups 1 a(%p : tensor<32x8193xf32>) b(%v : tensor<8x8193xf32>) ins(%t : tensor<32x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<32x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<32x8xf32>
}

// -----

// Scores are a result as well.
// CHECK-LABEL: @read_elsewhere
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @read_elsewhere(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xf32>) -> (tensor<200x8xf32>, tensor<200x300xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%p : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%p : tensor<200x300xf32>) b(%v : tensor<8x300xf32>) ins(%t : tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y, %s : tensor<200x8xf32>, tensor<200x300xf32>
}

// -----

// The total of the scores is not that of their powers.
// CHECK-LABEL: @another_sum
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @another_sum(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xf32>) -> (tensor<200x8xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "max" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%p : tensor<200x300xf32>) b(%v : tensor<8x300xf32>) ins(%t : tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<200x8xf32>
}

// -----

// Not the greatest score.
// CHECK-LABEL: @least
// CHECK-COUNT-2: kernel.mat_mul
// CHECK-NOT:   kernel.attention
func.func @least(%q: tensor<200x8xf32>, %k: tensor<300x8xf32>, %v: tensor<8x300xf32>) -> (tensor<200x8xf32>) {
  %s = kernel.mat_mul [200, 300] groups 1 a(%q : tensor<200x8xf32>) b(%k : tensor<300x8xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%sum: f32):
    %half = arith.constant 0.5 : f32
    %scaled = arith.mulf %sum, %half : f32
    kernel.yield %scaled : f32
  }
  %m = kernel.reduce "min" [200, 1] window [300] x(%s : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [200, 300] ins(%s, %m : tensor<200x300xf32>, tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x300xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [200, 1] window [300] x(%p : tensor<200x300xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.mat_mul [200, 8] groups 1 a(%p : tensor<200x300xf32>) b(%v : tensor<8x300xf32>) ins(%t : tensor<200x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<200x8xf32> {
  ^bb0(%sum: f32, %total: f32):
    %r = arith.divf %sum, %total : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<200x8xf32>
}
