;; The least that answers HTTP under `wasmtime serve`: an empty 200 for every request.
(component
  (import "wasi:http/types@0.2.0" (instance $http
    (export "fields" (type $fields (sub resource)))
    (export "incoming-request" (type $incoming-request (sub resource)))
    (export "outgoing-response" (type $outgoing-response (sub resource)))
    (export "response-outparam" (type $response-outparam (sub resource)))

    (type $dns-error' (record (field "rcode" (option string)) (field "info-code" (option u16))))
    (export "DNS-error-payload" (type $dns-error (eq $dns-error')))
    (type $tls-alert' (record (field "alert-id" (option u8)) (field "alert-message" (option string))))
    (export "TLS-alert-received-payload" (type $tls-alert (eq $tls-alert')))
    (type $field-size' (record (field "field-name" (option string)) (field "field-size" (option u32))))
    (export "field-size-payload" (type $field-size (eq $field-size')))
    (type $error-code' (variant
      (case "DNS-timeout") (case "DNS-error" $dns-error) (case "destination-not-found")
      (case "destination-unavailable") (case "destination-IP-prohibited") (case "destination-IP-unroutable")
      (case "connection-refused") (case "connection-terminated") (case "connection-timeout")
      (case "connection-read-timeout") (case "connection-write-timeout") (case "connection-limit-reached")
      (case "TLS-protocol-error") (case "TLS-certificate-error") (case "TLS-alert-received" $tls-alert)
      (case "HTTP-request-denied") (case "HTTP-request-length-required")
      (case "HTTP-request-body-size" (option u64)) (case "HTTP-request-method-invalid")
      (case "HTTP-request-URI-invalid") (case "HTTP-request-URI-too-long")
      (case "HTTP-request-header-section-size" (option u32)) (case "HTTP-request-header-size" (option $field-size))
      (case "HTTP-request-trailer-section-size" (option u32)) (case "HTTP-request-trailer-size" $field-size)
      (case "HTTP-response-incomplete") (case "HTTP-response-header-section-size" (option u32))
      (case "HTTP-response-header-size" $field-size) (case "HTTP-response-body-size" (option u64))
      (case "HTTP-response-trailer-section-size" (option u32)) (case "HTTP-response-trailer-size" $field-size)
      (case "HTTP-response-transfer-coding" (option string)) (case "HTTP-response-content-coding" (option string))
      (case "HTTP-response-timeout") (case "HTTP-upgrade-failed") (case "HTTP-protocol-error")
      (case "loop-detected") (case "configuration-error") (case "internal-error" (option string))))
    (export "error-code" (type $error-code (eq $error-code')))

    (export "[constructor]fields" (func (result (own $fields))))
    (export "[constructor]outgoing-response"
      (func (param "headers" (own $fields)) (result (own $outgoing-response))))
    (export "[static]response-outparam.set"
      (func (param "param" (own $response-outparam))
        (param "response" (result (own $outgoing-response) (error $error-code)))))
  ))
  (alias export $http "incoming-request" (type $incoming-request))
  (alias export $http "response-outparam" (type $response-outparam))

  (core module $memory (memory (export "memory") 1))
  (core instance $memory (instantiate $memory))
  (alias core export $memory "memory" (core memory $bytes))
  (alias export $http "[constructor]fields" (func $fields))
  (alias export $http "[constructor]outgoing-response" (func $response))
  (alias export $http "[static]response-outparam.set" (func $answer))
  (core func $new-fields (canon lower (func $fields)))
  (core func $new-response (canon lower (func $response)))
  (core func $set (canon lower (func $answer) (memory $bytes)))
  (core func $drop-request (canon resource.drop $incoming-request))

  (core module $code
    (import "host" "new-fields" (func $new-fields (result i32)))
    (import "host" "new-response" (func $new-response (param i32) (result i32)))
    (import "host" "set" (func $set (param i32 i32 i32 i32 i64 i32 i32 i32 i32)))
    (import "host" "drop-request" (func $drop-request (param i32)))
    (func (export "handle") (param $request i32) (param $out i32)
      (call $drop-request (local.get $request))
      (call $set
        (local.get $out)
        (i32.const 0) ;; ok
        (call $new-response (call $new-fields))
        (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))))
  (core instance $code (instantiate $code
    (with "host" (instance
      (export "new-fields" (func $new-fields))
      (export "new-response" (func $new-response))
      (export "set" (func $set))
      (export "drop-request" (func $drop-request))))))

  (type $handle (func (param "request" (own $incoming-request)) (param "response-out" (own $response-outparam))))
  (alias core export $code "handle" (core func $code-handle))
  (func $handle (type $handle) (canon lift (core func $code-handle)))
  (component $handler
    (import "incoming-request" (type $incoming-request (sub resource)))
    (import "response-outparam" (type $response-outparam (sub resource)))
    (import "handle"
      (func $handle (param "request" (own $incoming-request)) (param "response-out" (own $response-outparam))))
    (export $request' "incoming-request" (type $incoming-request))
    (export $out' "response-outparam" (type $response-outparam))
    (export "handle" (func $handle)
      (func (param "request" (own $request')) (param "response-out" (own $out')))))
  (instance $handler (instantiate $handler
    (with "incoming-request" (type $incoming-request))
    (with "response-outparam" (type $response-outparam))
    (with "handle" (func $handle))))
  (export "wasi:http/incoming-handler@0.2.0" (instance $handler))
)
