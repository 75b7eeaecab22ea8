//! The trace, the measurement and the one log line of a call.
//!
//! Nothing of a request but its method is in any of them: tokens, device keys and invite codes are secrets.

use std::cell::RefCell;
use std::time::Instant;

use fives_wire::status::{self, Fault};
use http::HeaderMap;
use opentelemetry::global::BoxedTracer;
use opentelemetry::metrics::{Counter, Histogram};
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanKind, Status as SpanStatus, TraceContextExt, TraceId, Tracer};
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::{Code, Status};
use tracing::{Span, debug, debug_span, error, warn};

use super::calls::Call;
use super::{HttpRequest, HttpResponse};

/// From what a refusal takes to the deadline, in seconds.
const DURATIONS_S: [f64; 14] = [
    0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0,
];

/// Whose fault a call that failed is, and why it failed: what the log is told and the caller is not.
pub(crate) struct Cause {
    pub(crate) fault: Fault,
    pub(crate) text: String,
}

tokio::task_local! {
    /// Why the call that this task carries out has failed.
    pub(crate) static CAUSE: RefCell<Option<Cause>>;
}

/// What measures and traces all calls.
pub(crate) struct Trace {
    tracer: BoxedTracer,
    durations: Histogram<f64>,
    refusals: Counter<u64>,
}

impl Trace {
    pub(crate) fn new() -> Self {
        let meter = global::meter("fives");
        Self {
            tracer: global::tracer("fives"),
            durations: meter
                .f64_histogram("rpc.server.call.duration")
                .with_unit("s")
                .with_description("From a request to its answer, or to the beginning of its stream")
                .with_boundaries(DURATIONS_S.to_vec())
                .build(),
            refusals: meter
                .u64_counter("fives.refusals")
                .with_unit("{call}")
                .with_description("Calls that were refused or failed, by reason")
                .build(),
        }
    }

    /// Begins a call: in the caller's trace, if there is one, and traced if the caller says so or the sampler does.
    pub(super) fn begin(&self, call: &Call, request: &HttpRequest) -> Traced {
        let parent = match request.headers().contains_key("traceparent") {
            true => TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(request.headers())),
            false => Context::new(),
        };
        let method = call.method();
        let span = self
            .tracer
            .span_builder(method)
            .with_kind(SpanKind::Server)
            .start_with_context(&self.tracer, &parent);
        let context = parent.with_span(span);
        if context.span().is_recording() {
            context.span().set_attributes([
                KeyValue::new("rpc.system.name", "grpc"),
                KeyValue::new("rpc.method", method),
            ]);
        }
        Traced {
            begun: Instant::now(),
            method,
            context,
        }
    }

    /// Measures a call, logs what did not succeed, and puts the trace's id into the details of such an answer.
    pub(super) fn end(&self, call: &Traced, cause: Option<Cause>, answer: HttpResponse) -> HttpResponse {
        let duration = call.begun.elapsed();
        let failed = Status::from_header_map(answer.headers()).filter(|status| status.code() != Code::Ok);
        let code = name(failed.as_ref().map_or(Code::Ok, Status::code));
        let labels = [
            KeyValue::new("rpc.method", call.method),
            KeyValue::new("rpc.response.status_code", code),
        ];
        self.durations.record(duration.as_secs_f64(), &labels);
        let span = call.context.span();
        if span.is_recording() {
            span.set_attribute(KeyValue::new("rpc.response.status_code", code));
        }
        let duration_us = duration.as_micros() as u64;
        let Some(failed) = failed else {
            debug!(duration_us, "answered");
            return answer;
        };
        // Only what is not the service's own doing has none.
        let reason = status::reason(&failed).map_or("NONE", |reason| status::reason_name(reason));
        self.refusals.add(1, &[KeyValue::new("reason", reason)]);
        if span.is_recording() {
            span.set_status(SpanStatus::error(reason));
        }
        let fault = cause
            .as_ref()
            .map_or_else(|| status::fault_of(failed.code()), |cause| cause.fault);
        let (method, trace_id) = (call.method, call.trace_id());
        let cause = cause.map(|cause| cause.text);
        match fault {
            // Readiness has said that the store is gone; under load this would be said again thousands of times.
            _ if reason == "STORE_UNAVAILABLE" => {
                debug!(method, %trace_id, code, reason, duration_us, cause, "a call failed: the store is gone");
            }
            Fault::Caller => debug!(method, %trace_id, code, reason, duration_us, cause, "a call was refused"),
            Fault::Passing => warn!(method, %trace_id, code, reason, duration_us, cause, "a call failed; it may pass"),
            Fault::Service => error!(method, %trace_id, code, reason, duration_us, cause, "a call failed"),
        }
        status::traced(failed, &trace_id.to_string()).into_http()
    }
}

/// A call that is under way.
pub(super) struct Traced {
    begun: Instant,
    method: &'static str,
    pub(super) context: Context,
}

impl Traced {
    /// What everything that is logged on its way belongs to.
    pub(super) fn log_span(&self) -> Span {
        debug_span!("call", method = self.method, trace_id = %self.trace_id())
    }

    fn trace_id(&self) -> TraceId {
        self.context.span().span_context().trace_id()
    }
}

/// The trace of the call that is being carried out.
pub(crate) fn current_trace_id() -> TraceId {
    Context::map_current(|context| context.span().span_context().trace_id())
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

/// A code as gRPC writes it.
const fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
