// Every builtin of LiteRT reads what it prints, with all its options.
// RUN: opt-tool %s | opt-tool | filecheck %s

// CHECK-LABEL: @builtins(
func.func @builtins(%0: tensor<2xf32>) {
  // CHECK-NEXT: %1 = "tfl.abs"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "tfl.abs"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %2 = "tfl.add"(%0, %0) <{fused_activation_function = "RELU", pot_scale_int16 = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "tfl.add"(%0, %0) <{fused_activation_function = "RELU", pot_scale_int16 = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %3 = "tfl.add_n"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = "tfl.add_n"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %4 = "tfl.arg_max"(%0, %0) <{output_type = i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %4 = "tfl.arg_max"(%0, %0) <{output_type = i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %5 = "tfl.arg_min"(%0, %0) <{output_type = i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %5 = "tfl.arg_min"(%0, %0) <{output_type = i64}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: "tfl.assign_variable"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  "tfl.assign_variable"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  // CHECK-NEXT: %6 = "tfl.average_pool_2d"(%0) <{filter_height = 2 : i32, filter_width = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>) -> tensor<2xf32>
  %6 = "tfl.average_pool_2d"(%0) <{filter_height = 2 : i32, filter_width = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %7, %8, %9, %10 = "tfl.basic_lstm"(%0, %0, %0, %0, %0) <{fused_activation_function = "RELU", cell_clip = 5.000000e-01 : f32, proj_clip = 5.000000e-01 : f32, kernel_type = #tfl<lstm_kernel_type_attr BASIC>, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %7, %8, %9, %10 = "tfl.basic_lstm"(%0, %0, %0, %0, %0) <{fused_activation_function = "RELU", cell_clip = 5.000000e-01 : f32, proj_clip = 5.000000e-01 : f32, kernel_type = #tfl<lstm_kernel_type_attr BASIC>, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %11 = "tfl.batch_matmul"(%0, %0) <{adj_x = true, adj_y = true, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %11 = "tfl.batch_matmul"(%0, %0) <{adj_x = true, adj_y = true, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %12 = "tfl.batch_to_space_nd"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %12 = "tfl.batch_to_space_nd"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %13, %14 = "tfl.bidirectional_sequence_rnn"(%0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0) <{fused_activation_function = "RELU", time_major = true, merge_outputs = true, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %13, %14 = "tfl.bidirectional_sequence_rnn"(%0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0, %0) <{fused_activation_function = "RELU", time_major = true, merge_outputs = true, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %15 = "tfl.broadcast_to"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %15 = "tfl.broadcast_to"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: "tfl.call_once"() <{init_subgraph = @builtins}> : () -> ()
  "tfl.call_once"() <{init_subgraph = @builtins}> : () -> ()
  // CHECK-NEXT: %16 = "tfl.cast"(%0) <{in_data_type = i64, out_data_type = i64}> : (tensor<2xf32>) -> tensor<2xf32>
  %16 = "tfl.cast"(%0) <{in_data_type = i64, out_data_type = i64}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %17 = "tfl.ceil"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %17 = "tfl.ceil"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %18 = "tfl.concatenation"(%0, %0) <{axis = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %18 = "tfl.concatenation"(%0, %0) <{axis = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %19 = "tfl.conv_2d"(%0, %0, %0) <{quantized_bias_type = i64, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %19 = "tfl.conv_2d"(%0, %0, %0) <{quantized_bias_type = i64, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %20 = "tfl.conv_3d"(%0, %0, %0) <{stride_d = 2 : i32, dilation_d_factor = 2 : i32, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %20 = "tfl.conv_3d"(%0, %0, %0) <{stride_d = 2 : i32, dilation_d_factor = 2 : i32, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %21 = "tfl.conv_3d_transpose"(%0, %0, %0, %0) <{stride_d = 2 : i32, dilation_d_factor = 2 : i32, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %21 = "tfl.conv_3d_transpose"(%0, %0, %0, %0) <{stride_d = 2 : i32, dilation_d_factor = 2 : i32, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %22 = "tfl.densify"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %22 = "tfl.densify"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %23 = "tfl.depth_to_space"(%0) <{block_size = 2 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %23 = "tfl.depth_to_space"(%0) <{block_size = 2 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %24 = "tfl.depthwise_conv_2d"(%0, %0, %0) <{depth_multiplier = 2 : i32, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %24 = "tfl.depthwise_conv_2d"(%0, %0, %0) <{depth_multiplier = 2 : i32, dilation_h_factor = 2 : i32, dilation_w_factor = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %25 = "tfl.dequantize"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %25 = "tfl.dequantize"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %26 = "tfl.div"(%0, %0) <{fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %26 = "tfl.div"(%0, %0) <{fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %27 = "tfl.dynamic_update_slice"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %27 = "tfl.dynamic_update_slice"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %28 = "tfl.elu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %28 = "tfl.elu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %29 = "tfl.equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %29 = "tfl.equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %30 = "tfl.exp"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %30 = "tfl.exp"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %31 = "tfl.expand_dims"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %31 = "tfl.expand_dims"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %32 = "tfl.fill"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %32 = "tfl.fill"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %33 = "tfl.floor"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %33 = "tfl.floor"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %34 = "tfl.floor_div"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %34 = "tfl.floor_div"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %35 = "tfl.floor_mod"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %35 = "tfl.floor_mod"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %36 = "tfl.fully_connected"(%0, %0, %0) <{fused_activation_function = "RELU", weights_format = "SHUFFLED4x16INT8", keep_num_dims = true, asymmetric_quantize_inputs = true, quantized_bias_type = i64}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %36 = "tfl.fully_connected"(%0, %0, %0) <{fused_activation_function = "RELU", weights_format = "SHUFFLED4x16INT8", keep_num_dims = true, asymmetric_quantize_inputs = true, quantized_bias_type = i64}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %37 = "tfl.gather"(%0, %0) <{axis = 2 : i32, batch_dims = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %37 = "tfl.gather"(%0, %0) <{axis = 2 : i32, batch_dims = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %38 = "tfl.gelu"(%0) <{approximate = true}> : (tensor<2xf32>) -> tensor<2xf32>
  %38 = "tfl.gelu"(%0) <{approximate = true}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %39 = "tfl.greater"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %39 = "tfl.greater"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %40 = "tfl.greater_equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %40 = "tfl.greater_equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %41 = "tfl.hard_swish"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %41 = "tfl.hard_swish"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %42, %43 = "tfl.if"(%0, %0, %0) <{then_subgraph = @builtins, else_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %42, %43 = "tfl.if"(%0, %0, %0) <{then_subgraph = @builtins, else_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %44 = "tfl.l2_normalization"(%0) <{fused_activation_function = "RELU"}> : (tensor<2xf32>) -> tensor<2xf32>
  %44 = "tfl.l2_normalization"(%0) <{fused_activation_function = "RELU"}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %45 = "tfl.leaky_relu"(%0) <{alpha = 5.000000e-01 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  %45 = "tfl.leaky_relu"(%0) <{alpha = 5.000000e-01 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %46 = "tfl.less"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %46 = "tfl.less"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %47 = "tfl.less_equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %47 = "tfl.less_equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %48 = "tfl.local_response_normalization"(%0) <{radius = 2 : i32, bias = 5.000000e-01 : f32, alpha = 5.000000e-01 : f32, beta = 5.000000e-01 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  %48 = "tfl.local_response_normalization"(%0) <{radius = 2 : i32, bias = 5.000000e-01 : f32, alpha = 5.000000e-01 : f32, beta = 5.000000e-01 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %49 = "tfl.log"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %49 = "tfl.log"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %50 = "tfl.log_softmax"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %50 = "tfl.log_softmax"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %51 = "tfl.logical_and"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %51 = "tfl.logical_and"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %52 = "tfl.logical_not"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %52 = "tfl.logical_not"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %53 = "tfl.logical_or"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %53 = "tfl.logical_or"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %54 = "tfl.logistic"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %54 = "tfl.logistic"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %55 = "tfl.max_pool_2d"(%0) <{filter_height = 2 : i32, filter_width = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>) -> tensor<2xf32>
  %55 = "tfl.max_pool_2d"(%0) <{filter_height = 2 : i32, filter_width = 2 : i32, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %56 = "tfl.maximum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %56 = "tfl.maximum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %57 = "tfl.mean"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %57 = "tfl.mean"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %58 = "tfl.minimum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %58 = "tfl.minimum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %59 = "tfl.mirror_pad"(%0, %0) <{mode = "SYMMETRIC"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %59 = "tfl.mirror_pad"(%0, %0) <{mode = "SYMMETRIC"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %60 = "tfl.mul"(%0, %0) <{fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %60 = "tfl.mul"(%0, %0) <{fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %61 = "tfl.neg"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %61 = "tfl.neg"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %62 = "tfl.not_equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %62 = "tfl.not_equal"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %63 = "tfl.one_hot"(%0, %0, %0, %0) <{axis = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %63 = "tfl.one_hot"(%0, %0, %0, %0) <{axis = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %64 = "tfl.pack"(%0, %0) <{values_count = 2 : i32, axis = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %64 = "tfl.pack"(%0, %0) <{values_count = 2 : i32, axis = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %65 = "tfl.pad"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %65 = "tfl.pad"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %66 = "tfl.padv2"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %66 = "tfl.padv2"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %67 = "tfl.pow"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %67 = "tfl.pow"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %68 = "tfl.prelu"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %68 = "tfl.prelu"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %69 = "tfl.quantize"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %69 = "tfl.quantize"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %70 = "tfl.range"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %70 = "tfl.range"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %71 = "tfl.read_variable"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %71 = "tfl.read_variable"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %72 = "tfl.reduce_all"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %72 = "tfl.reduce_all"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %73 = "tfl.reduce_any"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %73 = "tfl.reduce_any"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %74 = "tfl.reduce_max"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %74 = "tfl.reduce_max"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %75 = "tfl.reduce_min"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %75 = "tfl.reduce_min"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %76 = "tfl.reduce_prod"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %76 = "tfl.reduce_prod"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %77 = "tfl.relu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %77 = "tfl.relu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %78 = "tfl.relu6"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %78 = "tfl.relu6"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %79 = "tfl.relu_0_to_1"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %79 = "tfl.relu_0_to_1"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %80 = "tfl.relu_n1_to_1"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %80 = "tfl.relu_n1_to_1"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %81 = "tfl.reshape"(%0, %0) <{new_shape = array<i32: 1, -1>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %81 = "tfl.reshape"(%0, %0) <{new_shape = array<i32: 1, -1>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %82 = "tfl.resize_bilinear"(%0, %0) <{align_corners = true, half_pixel_centers = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %82 = "tfl.resize_bilinear"(%0, %0) <{align_corners = true, half_pixel_centers = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %83 = "tfl.resize_nearest_neighbor"(%0, %0) <{align_corners = true, half_pixel_centers = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %83 = "tfl.resize_nearest_neighbor"(%0, %0) <{align_corners = true, half_pixel_centers = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %84 = "tfl.reverse_sequence"(%0, %0) <{seq_dim = 2 : i32, batch_dim = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %84 = "tfl.reverse_sequence"(%0, %0) <{seq_dim = 2 : i32, batch_dim = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %85 = "tfl.reverse_v2"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %85 = "tfl.reverse_v2"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %86 = "tfl.rnn"(%0, %0, %0, %0, %0) <{fused_activation_function = "RELU", asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %86 = "tfl.rnn"(%0, %0, %0, %0, %0) <{fused_activation_function = "RELU", asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %87 = "tfl.round"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %87 = "tfl.round"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %88 = "tfl.rsqrt"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %88 = "tfl.rsqrt"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %89 = "tfl.select"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %89 = "tfl.select"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %90 = "tfl.select_v2"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %90 = "tfl.select_v2"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %91 = "tfl.shape"(%0) <{out_type = i64}> : (tensor<2xf32>) -> tensor<2xf32>
  %91 = "tfl.shape"(%0) <{out_type = i64}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %92 = "tfl.sign"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %92 = "tfl.sign"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %93 = "tfl.slice"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %93 = "tfl.slice"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %94 = "tfl.softmax"(%0) <{beta = 5.000000e-01 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  %94 = "tfl.softmax"(%0) <{beta = 5.000000e-01 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %95 = "tfl.space_to_batch_nd"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %95 = "tfl.space_to_batch_nd"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %96 = "tfl.space_to_depth"(%0) <{block_size = 2 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %96 = "tfl.space_to_depth"(%0) <{block_size = 2 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %97, %98 = "tfl.split"(%0, %0) <{num_splits = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %97, %98 = "tfl.split"(%0, %0) <{num_splits = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %99, %100 = "tfl.split_v"(%0, %0, %0) <{num_splits = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %99, %100 = "tfl.split_v"(%0, %0, %0) <{num_splits = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %101 = "tfl.sqrt"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %101 = "tfl.sqrt"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %102 = "tfl.square"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %102 = "tfl.square"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %103 = "tfl.squared_difference"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %103 = "tfl.squared_difference"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %104 = "tfl.squeeze"(%0) <{squeeze_dims = array<i32: 1, -1>}> : (tensor<2xf32>) -> tensor<2xf32>
  %104 = "tfl.squeeze"(%0) <{squeeze_dims = array<i32: 1, -1>}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: "tfl.store"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  "tfl.store"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  // CHECK-NEXT: %105 = "tfl.strided_slice"(%0, %0, %0, %0) <{begin_mask = 2 : i32, end_mask = 2 : i32, ellipsis_mask = 2 : i32, new_axis_mask = 2 : i32, shrink_axis_mask = 2 : i32, offset = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %105 = "tfl.strided_slice"(%0, %0, %0, %0) <{begin_mask = 2 : i32, end_mask = 2 : i32, ellipsis_mask = 2 : i32, new_axis_mask = 2 : i32, shrink_axis_mask = 2 : i32, offset = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %106 = "tfl.sub"(%0, %0) <{fused_activation_function = "RELU", pot_scale_int16 = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %106 = "tfl.sub"(%0, %0) <{fused_activation_function = "RELU", pot_scale_int16 = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %107 = "tfl.sum"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %107 = "tfl.sum"(%0, %0) <{keep_dims = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %108 = "tfl.tanh"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %108 = "tfl.tanh"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %109 = "tfl.tile"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %109 = "tfl.tile"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %110 = "tfl.transpose"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %110 = "tfl.transpose"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %111 = "tfl.transpose_conv"(%0, %0, %0, %0) <{quantized_bias_type = i64, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %111 = "tfl.transpose_conv"(%0, %0, %0, %0) <{quantized_bias_type = i64, padding = "VALID", stride_h = 2 : i32, stride_w = 2 : i32, fused_activation_function = "RELU"}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %112 = "tfl.unidirectional_sequence_rnn"(%0, %0, %0, %0, %0) <{fused_activation_function = "RELU", time_major = true, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %112 = "tfl.unidirectional_sequence_rnn"(%0, %0, %0, %0, %0) <{fused_activation_function = "RELU", time_major = true, asymmetric_quantize_inputs = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %113, %114 = "tfl.unpack"(%0) <{num = 2 : i32, axis = 2 : i32}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %113, %114 = "tfl.unpack"(%0) <{num = 2 : i32, axis = 2 : i32}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %115 = "tfl.var_handle"() <{container = "s", shared_name = "s"}> : () -> tensor<!tfl.resource>
  %115 = "tfl.var_handle"() <{container = "s", shared_name = "s"}> : () -> tensor<!tfl.resource>
  // CHECK-NEXT: %116 = "tfl.variable"() : () -> tensor<2xf32>
  %116 = "tfl.variable"() : () -> tensor<2xf32>
  // CHECK-NEXT: %117, %118 = "tfl.while"(%0, %0) <{cond_subgraph = @builtins, body_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %117, %118 = "tfl.while"(%0, %0) <{cond_subgraph = @builtins, body_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %119 = "tfl.bitwise_xor"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %119 = "tfl.bitwise_xor"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %120 = "tfl.cos"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %120 = "tfl.cos"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %121 = "tfl.cumsum"(%0, %0) <{exclusive = true, reverse = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %121 = "tfl.cumsum"(%0, %0) <{exclusive = true, reverse = true}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %122 = "tfl.embedding_lookup"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %122 = "tfl.embedding_lookup"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %123 = "tfl.gather_nd"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %123 = "tfl.gather_nd"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %124 = "tfl.right_shift"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %124 = "tfl.right_shift"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %125 = "tfl.scatter_nd"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %125 = "tfl.scatter_nd"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %126 = "tfl.sin"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %126 = "tfl.sin"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %127, %128 = "tfl.topk_v2"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %127, %128 = "tfl.topk_v2"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %129 = "tfl.where"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %129 = "tfl.where"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %130 = "tfl.atan2"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %130 = "tfl.atan2"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %131 = "tfl.fake_quant"(%0) <{max = 1.000000e+00 : f32, min = -1.000000e+00 : f32, narrow_range = true, num_bits = 4 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %131 = "tfl.fake_quant"(%0) <{max = 1.000000e+00 : f32, min = -1.000000e+00 : f32, narrow_range = true, num_bits = 4 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %132 = "tfl.l2_pool_2d"(%0) <{filter_height = 2 : i32, filter_width = 1 : i32, fused_activation_function = "RELU", padding = "SAME", stride_h = 2 : i32, stride_w = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %132 = "tfl.l2_pool_2d"(%0) <{filter_height = 2 : i32, filter_width = 1 : i32, fused_activation_function = "RELU", padding = "SAME", stride_h = 2 : i32, stride_w = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %133 = "tfl.svdf"(%0, %0, %0, %0, %0) <{asymmetric_quantize_inputs = true, fused_activation_function = "RELU", rank = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %133 = "tfl.svdf"(%0, %0, %0, %0, %0) <{asymmetric_quantize_inputs = true, fused_activation_function = "RELU", rank = 2 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %134 = "tfl.matrix_diag"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %134 = "tfl.matrix_diag"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %135 = "tfl.rank"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %135 = "tfl.rank"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %136, %137 = "tfl.unique"(%0) <{idx_out_type = i64}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %136, %137 = "tfl.unique"(%0) <{idx_out_type = i64}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %138 = "tfl.segment_sum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %138 = "tfl.segment_sum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %139 = "tfl.sparse_to_dense"(%0, %0, %0, %0) <{validate_indices = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %139 = "tfl.sparse_to_dense"(%0, %0, %0, %0) <{validate_indices = true}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %140 = "tfl.unsorted_segment_max"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %140 = "tfl.unsorted_segment_max"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %141 = "tfl.unsorted_segment_min"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %141 = "tfl.unsorted_segment_min"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %142 = "tfl.unsorted_segment_prod"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %142 = "tfl.unsorted_segment_prod"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %143 = "tfl.unsorted_segment_sum"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %143 = "tfl.unsorted_segment_sum"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %144 = "tfl.zeros_like"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %144 = "tfl.zeros_like"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %145 = "tfl.rfft2d"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %145 = "tfl.rfft2d"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %146 = "tfl.real"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %146 = "tfl.real"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %147 = "tfl.imag"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %147 = "tfl.imag"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %148 = "tfl.complex_abs"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %148 = "tfl.complex_abs"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %149 = "tfl.stablehlo_composite"(%0) <{name = "odml.rms_norm", decomposition_subgraph = @builtins, composite_attributes = array<i32: 1, 2>, composite_attributes_format = 0 : i32, version = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  %149 = "tfl.stablehlo_composite"(%0) <{name = "odml.rms_norm", decomposition_subgraph = @builtins, composite_attributes = array<i32: 1, 2>, composite_attributes_format = 0 : i32, version = 1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %150, %151 = "tfl.non_max_suppression_v4"(%0, %0, %0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %150, %151 = "tfl.non_max_suppression_v4"(%0, %0, %0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %152, %153, %154 = "tfl.non_max_suppression_v5"(%0, %0, %0, %0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  %152, %153, %154 = "tfl.non_max_suppression_v5"(%0, %0, %0, %0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %155 = "tfl.matrix_set_diag"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %155 = "tfl.matrix_set_diag"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %156 = "tfl.stablehlo_scatter"(%0, %0, %0) <{update_window_dims = array<i32: 0>, inserted_window_dims = array<i32: 1>, scatter_dims_to_operand_dims = array<i32: 1>, index_vector_dim = 1 : i32, update_computation_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %156 = "tfl.stablehlo_scatter"(%0, %0, %0) <{update_window_dims = array<i32: 0>, inserted_window_dims = array<i32: 1>, scatter_dims_to_operand_dims = array<i32: 1>, index_vector_dim = 1 : i32, update_computation_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %157 = "tfl.stablehlo_reduce_window"(%0, %0) <{window_dimensions = array<i32: 2>, window_strides = array<i32: 1>, padding = array<i32: 1, 0>, body_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %157 = "tfl.stablehlo_reduce_window"(%0, %0) <{window_dimensions = array<i32: 2>, window_strides = array<i32: 1>, padding = array<i32: 1, 0>, body_subgraph = @builtins}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %158 = "tfl.broadcast_args"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %158 = "tfl.broadcast_args"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %159 = "tfl.embedding_lookup_sparse"(%0, %0, %0, %0, %0) <{combiner = 1 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %159 = "tfl.embedding_lookup_sparse"(%0, %0, %0, %0, %0) <{combiner = 1 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %160, %161 = "tfl.hashtable_lookup"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %160, %161 = "tfl.hashtable_lookup"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: %162 = "tfl.stablehlo_add"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %162 = "tfl.stablehlo_add"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %163 = "tfl.stablehlo_multiply"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %163 = "tfl.stablehlo_multiply"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %164 = "tfl.stablehlo_maximum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %164 = "tfl.stablehlo_maximum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %165 = "tfl.stablehlo_minimum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %165 = "tfl.stablehlo_minimum"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %166 = "tfl.stablehlo_and"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %166 = "tfl.stablehlo_and"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %167 = "tfl.stablehlo_shift_left"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %167 = "tfl.stablehlo_shift_left"(%0, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %168 = "tfl.stablehlo_pad"(%0, %0) <{edge_padding_low = array<i32: 1>, edge_padding_high = array<i32: -1>, interior_padding = array<i32: 0>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %168 = "tfl.stablehlo_pad"(%0, %0) <{edge_padding_low = array<i32: 1>, edge_padding_high = array<i32: -1>, interior_padding = array<i32: 0>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %169 = "tfl.stablehlo_gather"(%0, %0) <{offset_dims = array<i32: 0>, start_index_map = array<i32: 0>, index_vector_dim = 0 : i32, slice_sizes = array<i32: 2>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %169 = "tfl.stablehlo_gather"(%0, %0) <{offset_dims = array<i32: 0>, start_index_map = array<i32: 0>, index_vector_dim = 0 : i32, slice_sizes = array<i32: 2>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %170 = "tfl.dilate"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %170 = "tfl.dilate"(%0, %0, %0) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  // CHECK-NEXT: %171 = "tfl.reduce_window"(%0, %0, %0, %0, %0) <{reduce_function = 1 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %171 = "tfl.reduce_window"(%0, %0, %0, %0, %0) <{reduce_function = 1 : i32}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}
