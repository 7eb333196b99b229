import { nearest } from '../nearest.ts';

/** What OpenTelemetry's variables ask for. The exporter itself reads where traces go, and how. */
export interface TracesConfig {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: { readonly by: 'on' | 'off' | 'ratio'; readonly ratio: number };
}

export interface TracesReading {
  /** Null where none are asked for, or they cannot be sent. */
  readonly traces: TracesConfig | null;
  /** What the collector is shown, in each form in which it stands in the environment or travels. */
  readonly secrets: readonly string[];
  /** Nothing of this keeps the bot from starting: they say what is not sent, or not as asked for. */
  readonly warnings: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

const OTLP = 'OTEL_EXPORTER_OTLP_';
const OF_TRACES = `${OTLP}TRACES_`;
const OF_EXPORTER = [
  'ENDPOINT',
  'PROTOCOL',
  'HEADERS',
  'TIMEOUT',
  'COMPRESSION',
  'CERTIFICATE',
  'CLIENT_CERTIFICATE',
  'CLIENT_KEY',
];

/** Those that are obeyed. */
export const TRACES_VARIABLES: readonly string[] = [
  ...OF_EXPORTER.flatMap((what) => [`${OTLP}${what}`, `${OF_TRACES}${what}`]),
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
];

/** A parent from outside never comes, so that those that go by it do as their root does. */
const SAMPLERS: Readonly<Record<string, TracesConfig['sampler']['by']>> = {
  always_on: 'on',
  always_off: 'off',
  traceidratio: 'ratio',
  parentbased_always_on: 'on',
  parentbased_always_off: 'off',
  parentbased_traceidratio: 'ratio',
};

/** Reads https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export function readTraces(env: Variables): TracesReading {
  const value = (name: string) => env[name]?.trim() || undefined;
  const secrets = [`${OTLP}HEADERS`, `${OF_TRACES}HEADERS`].flatMap((name) => headerSecrets(value(name) ?? ''));
  const misspelt = misspeltIn(env);
  const { traces, warnings } = read(value);
  return { traces, secrets, warnings: [...misspelt, ...warnings] };
}

function read(value: (name: string) => string | undefined): Omit<TracesReading, 'secrets'> {
  const given = (what: string) => [`${OF_TRACES}${what}`, `${OTLP}${what}`].find((name) => value(name) !== undefined);
  const without = (why: string) => ({ traces: null, warnings: [`no traces are sent: ${why}`] });
  const none = { traces: null, warnings: [] };

  const [endpoint, exporter] = [given('ENDPOINT'), value('OTEL_TRACES_EXPORTER')];
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none') return none;
  if (endpoint === undefined && exporter === undefined) return none;
  if (exporter !== undefined && exporter !== 'otlp') return without('OTEL_TRACES_EXPORTER is not otlp');
  if (endpoint !== undefined) {
    const url = URL.parse(value(endpoint) ?? '');
    if (!/^https?:$/.test(url?.protocol ?? '')) return without(`${endpoint} does not begin with http:// or https://`);
    if (url?.password) return without(`${endpoint} holds a password: give it in ${OTLP}HEADERS`);
  }
  const named = given('PROTOCOL');
  const protocol = named === undefined ? 'http/protobuf' : value(named);
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return without(`${named} is neither http/protobuf nor http/json, which collectors take on port 4318`);
  return sampled(value, protocol);
}

function sampled(
  value: (name: string) => string | undefined,
  protocol: TracesConfig['protocol'],
): Omit<TracesReading, 'secrets'> {
  const by = SAMPLERS[value('OTEL_TRACES_SAMPLER') ?? 'always_on'];
  const asked = value('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const isRatio = /^(?:0|1|[01]?\.\d+)$/.test(asked) && Number(asked) <= 1;
  const warnings = [
    ...(by === undefined
      ? [`OTEL_TRACES_SAMPLER is none of ${Object.keys(SAMPLERS).join(', ')}: every trace is sent`]
      : []),
    ...(by === 'ratio' && !isRatio ? ['OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: every trace is sent'] : []),
  ];
  return { traces: { protocol, sampler: { by: by ?? 'on', ratio: isRatio ? Number(asked) : 1 } }, warnings };
}

/** The environment belongs to others too, so that one slip at most is taken for one. */
function misspeltIn(env: Variables): readonly string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('OTEL_') && !TRACES_VARIABLES.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, TRACES_VARIABLES, 1);
      return meant === null ? [] : [`${name}: did you mean ${meant}?`];
    });
}

/** Shorter ones are found in too many other words. */
const SECRET_LENGTH = 8;

/** `api-key=…,authorization=Bearer%20…`: what stands behind each name, as it is, decoded, and without the word before it. */
function headerSecrets(headers: string): readonly string[] {
  const values = headers.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  const forms = values.flatMap((text) => {
    const decoded = decode(text);
    return [text, decoded, decoded.split(/\s+/).at(-1) ?? ''];
  });
  return [...new Set(forms)].filter((text) => text.length >= SECRET_LENGTH);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
