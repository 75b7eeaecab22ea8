//! Who gets what is measured and traced: `/metrics` for Prometheus, and a collector over OTLP where one is named.

use std::time::Duration;

use axum::Router;
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkError;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use prometheus::process_collector::ProcessCollector;
use prometheus::{Encoder, Registry, TEXT_FORMAT, TextEncoder};
use thiserror::Error;
use tokio::runtime::RuntimeMetrics;
use tracing::warn;

use crate::build;
use crate::config::Config;
use crate::serve::random_u64;

/// How long a collector may take to accept something.
const OTLP_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the last spans may take to leave when the process ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(3);

/// Why nothing can be measured.
#[derive(Debug, Error)]
pub enum TelemetryError {
    /// The address of the collector is none.
    #[error("--otlp-endpoint (FIVES_OTLP_ENDPOINT): {0}")]
    Endpoint(#[from] ExporterBuildError),
    /// The exporter for Prometheus could not be made.
    #[error("metrics: {0}")]
    Metrics(#[from] OTelSdkError),
    /// Nor what it tells of the process.
    #[error("metrics: {0}")]
    Process(#[from] prometheus::Error),
}

/// The providers of the process.
pub(crate) struct Telemetry {
    registry: Registry,
    meters: SdkMeterProvider,
    tracers: SdkTracerProvider,
}

impl Telemetry {
    /// Begins to measure and to trace; must be called within a Tokio runtime, before anything is measured.
    ///
    /// # Errors
    /// [`TelemetryError`].
    pub(crate) fn start(config: &Config) -> Result<Self, TelemetryError> {
        let resource = Resource::builder()
            .with_service_name("fives")
            .with_attributes([
                KeyValue::new("service.version", build::VERSION),
                KeyValue::new("service.instance.id", format!("{:016x}", random_u64())),
            ])
            .build();
        let registry = Registry::new();
        let prometheus = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .scope_info_enabled(false)
            .build()?;
        let mut meters = SdkMeterProvider::builder()
            .with_resource(resource.clone())
            .with_reader(prometheus);
        let mut tracers = SdkTracerProvider::builder().with_resource(resource);
        if let Some(endpoint) = &config.otlp_endpoint {
            let metrics = MetricExporter::builder()
                .with_tonic()
                .with_endpoint(endpoint)
                .with_timeout(OTLP_TIMEOUT);
            meters = meters.with_periodic_exporter(metrics.build()?);
            let spans = SpanExporter::builder()
                .with_tonic()
                .with_endpoint(endpoint)
                .with_timeout(OTLP_TIMEOUT);
            let sampler = Sampler::TraceIdRatioBased(config.trace_sample_ratio);
            tracers = tracers
                .with_batch_exporter(spans.build()?)
                .with_sampler(Sampler::ParentBased(Box::new(sampler)));
        } else {
            // Calls have a trace id all the same, for logs and errors.
            tracers = tracers.with_sampler(Sampler::AlwaysOff);
        }
        registry.register(Box::new(ProcessCollector::for_self()))?;
        let telemetry = Self {
            registry,
            meters: meters.build(),
            tracers: tracers.build(),
        };
        global::set_meter_provider(telemetry.meters.clone());
        global::set_tracer_provider(telemetry.tracers.clone());
        observe_runtime(tokio::runtime::Handle::current().metrics());
        Ok(telemetry)
    }

    /// `GET /metrics`, in Prometheus's text format.
    pub(crate) fn routes(&self) -> Router {
        let registry = self.registry.clone();
        let metrics = move || {
            let mut text = Vec::new();
            let encoded = TextEncoder::new().encode(&registry.gather(), &mut text);
            std::future::ready(match encoded {
                Ok(()) => (StatusCode::OK, [(CONTENT_TYPE, TEXT_FORMAT)], text),
                Err(error) => {
                    warn!(%error, "what was measured could not be written");
                    (
                        StatusCode::INTERNAL_SERVER_ERROR,
                        [(CONTENT_TYPE, "text/plain")],
                        Vec::new(),
                    )
                }
            })
        };
        Router::new().route("/metrics", get(metrics))
    }

    /// Hands out what has not left yet. A collector that is gone does not hold up the end.
    pub(crate) async fn end(self) {
        let flushed = tokio::task::spawn_blocking(move || {
            let spans = self.tracers.shutdown_with_timeout(FLUSH_TIMEOUT);
            spans.and(self.meters.shutdown_with_timeout(FLUSH_TIMEOUT))
        });
        if let Ok(Err(error)) = flushed.await {
            warn!(%error, "the last spans and metrics may not have left");
        }
    }
}

/// What tells whether the runtime has more to do than it can, and which release this is.
fn observe_runtime(runtime: RuntimeMetrics) {
    let meter = global::meter("fives");
    let workers = runtime.clone();
    meter
        .u64_observable_gauge("tokio.workers")
        .with_description("Threads that run tasks")
        .with_callback(move |observer| observer.observe(workers.num_workers() as u64, &[]))
        .build();
    let tasks = runtime.clone();
    meter
        .u64_observable_gauge("tokio.alive_tasks")
        .with_description("Tasks that have not ended")
        .with_callback(move |observer| observer.observe(tasks.num_alive_tasks() as u64, &[]))
        .build();
    let queue = runtime.clone();
    meter
        .u64_observable_gauge("tokio.global_queue_depth")
        .with_description("Tasks that wait for a thread")
        .with_callback(move |observer| observer.observe(queue.global_queue_depth() as u64, &[]))
        .build();
    meter
        .f64_observable_counter("tokio.busy")
        .with_unit("s")
        .with_description("Time in which threads ran tasks, of all threads together")
        .with_callback(move |observer| {
            let busy: Duration = (0..runtime.num_workers())
                .map(|worker| runtime.worker_total_busy_duration(worker))
                .sum();
            observer.observe(busy.as_secs_f64(), &[]);
        })
        .build();
    meter
        .u64_observable_gauge("fives.build_info")
        .with_description("Always 1: what is running")
        .with_callback(|observer| {
            let labels = [
                KeyValue::new("version", build::VERSION),
                KeyValue::new("commit", build::COMMIT),
                KeyValue::new("schema", i64::from(build::SCHEMA)),
            ];
            observer.observe(1, &labels);
        })
        .build();
}
