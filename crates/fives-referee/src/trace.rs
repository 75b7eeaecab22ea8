//! Spans of the calls that are traced. All others pay one look at a variable of the thread.
//!
//! ```text
//! a call's span ─▶ decide, store.commit ─▶ kept with the batch ─▶ feed.fan_out, in whichever process somebody follows
//! ```
//!
//! Whether a call is traced is decided where it comes in, once for all that follows from it. No span has a word of what is
//! hidden: hands, seeds, tokens.

use opentelemetry::trace::{
    FutureExt, SpanContext, SpanId, SpanKind, TraceContextExt, TraceFlags, TraceId, TraceState, Tracer,
};
use opentelemetry::{Context, KeyValue, global};

/// Whose spans they are.
const SCOPE: &str = "fives";

/// A span of a trace that is kept: what a batch says of the call that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceParent {
    /// The trace.
    pub trace_id: [u8; 16],
    /// The span.
    pub span_id: [u8; 8],
}

impl TraceParent {
    /// The span that the current work belongs to, if it is traced.
    pub(crate) fn current() -> Option<Self> {
        Context::map_current(|context| {
            let span = sampled(context)?;
            Some(Self {
                trace_id: span.trace_id().to_bytes(),
                span_id: span.span_id().to_bytes(),
            })
        })
    }

    fn context(&self) -> Context {
        Context::new().with_remote_span_context(SpanContext::new(
            TraceId::from_bytes(self.trace_id),
            SpanId::from_bytes(self.span_id),
            TraceFlags::SAMPLED,
            true,
            TraceState::default(),
        ))
    }
}

fn sampled(context: &Context) -> Option<SpanContext> {
    if !context.has_active_span() {
        return None;
    }
    Some(context.span().span_context().clone()).filter(SpanContext::is_sampled)
}

fn child(name: &'static str, kind: SpanKind, attributes: impl IntoIterator<Item = KeyValue>) -> Option<Context> {
    let parent = Context::map_current(|context| sampled(context).map(|_| context.clone()))?;
    Some(begun(name, kind, attributes, &parent))
}

fn begun(
    name: &'static str,
    kind: SpanKind,
    attributes: impl IntoIterator<Item = KeyValue>,
    parent: &Context,
) -> Context {
    let tracer = global::tracer(SCOPE);
    let span = tracer.span_builder(name).with_kind(kind).with_attributes(attributes);
    parent.with_span(span.start_with_context(&tracer, parent))
}

/// Does `work` in a span of its own, if the current work is traced.
pub async fn spanned<T>(
    name: &'static str,
    kind: SpanKind,
    attributes: impl IntoIterator<Item = KeyValue>,
    work: impl Future<Output = T>,
) -> T {
    match child(name, kind, attributes) {
        None => work.await,
        Some(context) => {
            // A span ends with its context, also where nobody waits any more.
            work.with_context(context).await
        }
    }
}

/// As [`spanned`], for work that waits for nothing.
pub(crate) fn spanned_now<T>(name: &'static str, work: impl FnOnce() -> T) -> T {
    let _attached = child(name, SpanKind::Internal, []).map(Context::attach);
    work()
}

/// Does `work` in a span that follows on `parent`, which ended elsewhere.
pub(crate) fn following<T>(parent: Option<&TraceParent>, name: &'static str, work: impl FnOnce() -> T) -> T {
    let span = parent.map(|parent| begun(name, SpanKind::Consumer, [], &parent.context()));
    let _attached = span.map(Context::attach);
    work()
}
