import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracesConfig } from '../config/traces.ts';
import type { OpenLedger } from '../ledger/open.ts';
import { type Clock, within } from '../purchasing/ports/clock.ts';
import { Lasting, type Log } from '../purchasing/ports/log.ts';
import type { VendorCall } from './observer.ts';
import type { Clicked, Traces } from './tracing.ts';
import type { Pass } from './workers.ts';

export interface OtelDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly instance: string;
}

/** Spans are worth no more than this to somebody who waits for the process to end. */
const LAST_SPANS_WITHIN_MS = 1_000;

const PURCHASE = 'proxy_desk.purchase';
const OUTCOME = 'proxy_desk.outcome';

/**
 * Sends spans to a collector, in batches and beside the work: a collector that is away or hangs holds up nothing, and what it does not take
 * is dropped. Attributes are words of ours, methods, numbers and ids of purchases; never a person, a text or a secret.
 */
export function startTraces({ protocol, sampler }: TracesConfig, { clock, log, version, instance }: OtelDeps): Traces {
  const exporter = protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
  const named = resourceFromAttributes({
    'service.name': 'proxy-desk',
    'service.version': version,
    'service.instance.id': instance,
  });
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors })),
    sampler: new ParentBasedSampler({ root: rootSampler(sampler) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reported(exporter, clock, log) })],
  });
  return new OtelTraces(provider.getTracer('proxy-desk', version), () =>
    within(
      clock,
      LAST_SPANS_WITHIN_MS,
      provider.shutdown().catch(() => undefined),
      undefined,
    ),
  );
}

function rootSampler({ by, ratio }: TracesConfig['sampler']) {
  if (by === 'ratio') return new TraceIdRatioBasedSampler(ratio);
  return by === 'on' ? new AlwaysOnSampler() : new AlwaysOffSampler();
}

/** Says that the collector does not take spans, now and then as long as it does not, and once that it does again. */
function reported(exporter: SpanExporter, clock: Clock, log: Log): SpanExporter {
  const lasting = new Lasting(clock);
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        // What the collector answers may hold anything, and is not logged.
        const why = result.code === 0 ? undefined : codeOf(result.error);
        const news = why === undefined ? undefined : lasting.news(String(why));
        if (news) log.warn({ why, ...news }, 'traces cannot be sent; they are dropped meanwhile');
        if (why === undefined && lasting.end()) log.info({}, 'traces are sent again');
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function codeOf(error: unknown): string | number {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : 'no answer';
}

/** What is going on: a click, or a worker's pass. Its span begins when there is something to tell. */
class Work {
  readonly #begin: () => Span;
  /** One that may be about many purchases names none. */
  readonly #isAboutOne: boolean;
  #span: Span | undefined;
  #purchase: string | undefined;

  constructor(begin: () => Span, isAboutOne: boolean) {
    this.#begin = begin;
    this.#isAboutOne = isAboutOne;
  }

  get purchase(): string | undefined {
    return this.#purchase;
  }

  get span(): Span | undefined {
    return this.#span;
  }

  begun(): Span {
    this.#span ??= this.#begin();
    if (this.#purchase !== undefined) this.#span.setAttribute(PURCHASE, this.#purchase);
    return this.#span;
  }

  about(purchase: string): void {
    if (!this.#isAboutOne) return;
    this.#purchase = purchase;
    this.#span?.setAttribute(PURCHASE, purchase);
  }
}

interface Told {
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
  readonly failed?: boolean;
  /** Begins the span of the pass that it belongs to, and is told of also outside of all work. */
  readonly matters: boolean;
}

/** The worker that sends has one purchase at a time. */
const SENDING = 'send';

/** Changes of purchases and of the freeze; whatever else is read or written is told of beside them. */
const CHANGES = ['file', 'change', 'fileBatch', 'changeBatch', 'talk', 'changeFreeze'];

class OtelTraces implements Traces {
  readonly #tracer: Tracer;
  readonly #work = new AsyncLocalStorage<Work>();
  readonly stop: () => Promise<void>;

  constructor(tracer: Tracer, stop: () => Promise<void>) {
    this.#tracer = tracer;
    this.stop = stop;
  }

  readonly clicked = async <T>({ listener, purchase }: Clicked, does: () => Promise<T>): Promise<T> => {
    const work = new Work(() => this.#tracer.startSpan(`click ${listener}`, { kind: SpanKind.SERVER }), true);
    if (purchase !== undefined) work.about(purchase);
    const span = work.begun();
    try {
      return await this.#work.run(work, does);
    } finally {
      span.end();
    }
  };

  readonly pass =
    (name: string, pass: Pass): Pass =>
    async () => {
      const startTime = Date.now();
      const work = new Work(() => this.#tracer.startSpan(`worker ${name}`, { startTime }), name === SENDING);
      try {
        return await this.#work.run(work, pass);
      } finally {
        work.span?.end();
      }
    };

  readonly about = (purchase: string): void => this.#work.getStore()?.about(purchase);

  readonly acked: Traces['acked'] = (kind, outcome, ms) => {
    const span = this.#work.getStore()?.span;
    span?.addEvent('ack', { [OUTCOME]: outcome, 'proxy_desk.ack_ms': ms });
    span?.setAttributes({ 'proxy_desk.click': kind, [OUTCOME]: outcome });
    if (outcome === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR });
  };

  readonly slackCalled: Traces['slackCalled'] = (method, trouble, ms) => {
    const error = trouble && (trouble.kind === 'refused' ? trouble.code : trouble.kind);
    this.#tell(`slack ${method}`, ms, {
      kind: SpanKind.CLIENT,
      attributes: {
        'rpc.system': 'slack',
        'rpc.method': method,
        [OUTCOME]: trouble?.kind ?? 'ok',
        ...errorType(error),
      },
      failed: trouble !== undefined,
      matters: true,
    });
  };

  readonly vendorCalled: Traces['vendorCalled'] = (call, ms) => {
    const { method, path } = requestOf(call);
    const status = call.call === 'order' && call.httpStatus !== null ? call.httpStatus : undefined;
    this.#tell(`vendor ${method} ${path}`, ms, {
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': method,
        'url.path': path,
        [OUTCOME]: call.outcome,
        ...(status !== undefined && { 'http.response.status_code': status }),
      },
      failed: call.outcome !== 'read' && call.outcome !== 'completed',
      matters: true,
    });
  };

  readonly opened = (opened: OpenLedger): OpenLedger => {
    const { database: _, listen: __, close: ___, instances: ____, ...ports } = opened;
    const timed = Object.entries(ports).map(([name, port]) => [name, this.#timed(name, port)]);
    return { ...opened, ...(Object.fromEntries(timed) as typeof ports) };
  };

  #timed<P extends object>(port: string, operations: P): P {
    const timed = Object.entries(operations).map(([name, operation]) => {
      if (typeof operation !== 'function') return [name, operation];
      const told = port === 'ledger' ? name : `${port}.${name}`;
      return [name, (...given: unknown[]) => this.#time(told, given, () => operation(...given) as unknown)];
    });
    return Object.fromEntries(timed) as P;
  }

  #time(name: string, [first]: readonly unknown[], run: () => unknown): unknown {
    const began = performance.now();
    const running = run();
    if (!(running instanceof Promise)) return running;
    const purchase = typeof first === 'string' && first.startsWith('P-') ? { [PURCHASE]: first } : {};
    const tell = (failed: boolean) => {
      const matters = CHANGES.includes(name);
      this.#tell(`ledger ${name}`, performance.now() - began, { attributes: purchase, failed, matters });
    };
    return running.then(
      (found: unknown) => {
        tell(false);
        return found;
      },
      (error: unknown) => {
        tell(true);
        throw error;
      },
    );
  }

  /** What has just ended. */
  #tell(name: string, ms: number, { kind = SpanKind.INTERNAL, attributes, failed = false, matters }: Told): void {
    const work = this.#work.getStore();
    const parent = matters ? work?.begun() : work?.span;
    if (!parent && !matters) return;
    const endTime = Date.now();
    const of = work?.purchase === undefined ? {} : { [PURCHASE]: work.purchase };
    const span = this.#tracer.startSpan(
      name,
      { kind, startTime: endTime - ms, attributes: { ...of, ...attributes } },
      parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT,
    );
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endTime);
  }
}

function errorType(code: string | undefined): Attributes {
  return code === undefined ? {} : { 'error.type': code };
}

/** As the vendor documents them; a prefix of the base URL is left out. */
function requestOf(call: VendorCall): { readonly method: 'GET' | 'POST'; readonly path: string } {
  if (call.call === 'balance') return { method: 'GET', path: '/v2/balance' };
  return { method: 'POST', path: call.kind === 'buy' ? '/v2/orders/create' : '/v2/orders/renew' };
}
