import { describe, expect, it } from 'vitest';
import { readTraces } from '../../src/config/traces.ts';

const AT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const EVERY = { traces: { protocol: 'http/protobuf', sampler: { by: 'on', ratio: 1 } }, secrets: [], warnings: [] };
const NONE = { traces: null, secrets: [], warnings: [] };

describe("OpenTelemetry's variables", () => {
  it.each([
    [AT],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/v1/traces' }],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }],
    [{ ...AT, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_SAMPLER: 'parentbased_always_on' }],
    [{ ...AT, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'x', OTEL_BSP_SCHEDULE_DELAY: '1', OTEL_LOG_LEVEL: 'debug' }],
    [{ ...AT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' }],
  ])('ask for traces: %o', (env) => {
    expect(readTraces(env)).toEqual(EVERY);
  });

  it.each([
    [{}],
    [{ OTEL_SERVICE_NAME: 'desk', OTEL_TRACES_SAMPLER: 'always_on' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    [{ ...AT, OTEL_SDK_DISABLED: 'TRUE' }],
    [{ ...AT, OTEL_TRACES_EXPORTER: 'none' }],
  ])('ask for none: %o', (env) => {
    expect(readTraces(env)).toEqual(NONE);
  });

  it.each([
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
      /^no traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT does not begin/,
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:hunter2@c.example' },
      /ENDPOINT holds a password: give it in .*HEADERS/,
    ],
    [{ ...AT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL is neither http\/protobuf nor/],
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER is not otlp/],
    [
      { OTEL_EXPORTER_OTLP_ENDPONT: 'http://c' },
      /^OTEL_EXPORTER_OTLP_ENDPONT: did you mean OTEL_EXPORTER_OTLP_ENDPOINT\?/,
    ],
  ])('that cannot be obeyed are said in one line, and the bot starts without: %o', (env, said) => {
    const { traces, warnings } = readTraces(env);
    expect(traces).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(said)]);
    expect(warnings.join()).not.toContain('hunter2');
  });

  it.each([
    ['traceidratio', '0.25', { by: 'ratio', ratio: 0.25 }, 0],
    ['parentbased_traceidratio', '.5', { by: 'ratio', ratio: 0.5 }, 0],
    ['always_off', undefined, { by: 'off', ratio: 1 }, 0],
    ['traceidratio', '25%', { by: 'ratio', ratio: 1 }, 1],
    ['sometimes', undefined, { by: 'on', ratio: 1 }, 1],
  ] as const)('choose a sampler: %s %s', (sampler, ratio, chosen, warned) => {
    const env = { ...AT, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: ratio };
    const { traces, warnings } = readTraces(env);
    expect(traces?.sampler).toEqual(chosen);
    expect(warnings).toHaveLength(warned);
  });

  it('hold secrets in their headers, which are known in each form; short words are none', () => {
    const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Bearer%20abc-0123456789, x-tenant=7';
    const { secrets } = readTraces({ OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'key=%E0%A4-xyz' });
    expect(secrets).toEqual(['Bearer%20abc-0123456789', 'Bearer abc-0123456789', 'abc-0123456789', '%E0%A4-xyz']);
  });
});
