/** Where OpenTelemetry's own variables ask for traces. The exporter reads the rest of them itself. */
export interface TracesConfig {
  readonly protocol: 'http/protobuf' | 'http/json';
  readonly sampler: { readonly by: 'on' | 'off' | 'ratio'; readonly ratio: number };
}

export interface TracesReading {
  /** Null where none are asked for, or they cannot be sent. */
  readonly traces: TracesConfig | null;
  /** What the exporter shows to the collector, in each form in which it stands in the environment or travels. */
  readonly secrets: readonly string[];
  /** Nothing of this stops the bot: they say what is not sent, or not as asked for. */
  readonly warnings: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

const OTLP = 'OTEL_EXPORTER_OTLP';

/** A parent from outside never comes, so that those that go by it do as their root does. */
const SAMPLERS: Readonly<Record<string, TracesConfig['sampler']['by']>> = {
  always_on: 'on',
  always_off: 'off',
  traceidratio: 'ratio',
  parentbased_always_on: 'on',
  parentbased_always_off: 'off',
  parentbased_traceidratio: 'ratio',
};

/** Reads OpenTelemetry's variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export function readTraces(env: Variables): TracesReading {
  const value = (name: string) => env[name]?.trim() || undefined;
  const either = (what: string): readonly [string, string] | undefined => {
    const name = [`${OTLP}_TRACES_${what}`, `${OTLP}_${what}`].find((each) => value(each) !== undefined);
    return name === undefined ? undefined : [name, value(name) ?? ''];
  };
  const secrets = [`${OTLP}_HEADERS`, `${OTLP}_TRACES_HEADERS`].flatMap((name) => headerSecrets(value(name) ?? ''));
  const none = { traces: null, secrets, warnings: [] };
  const without = (why: string): TracesReading => ({ ...none, warnings: [`no traces are sent: ${why}`] });

  const endpoint = either('ENDPOINT');
  const exporter = value('OTEL_TRACES_EXPORTER');
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none') return none;
  if (!endpoint && exporter === undefined) return none;
  if (exporter !== undefined && exporter !== 'otlp') return without('OTEL_TRACES_EXPORTER is not otlp');
  const url = endpoint && URL.parse(endpoint[1]);
  if (endpoint && !/^https?:$/.test(url?.protocol ?? ''))
    return without(`${endpoint[0]} is not an address that begins with http:// or https://`);
  if (url?.password) return without(`${endpoint?.[0]} holds a password: give it in ${OTLP}_HEADERS`);
  const [named, protocol] = either('PROTOCOL') ?? ['', 'http/protobuf'];
  if (protocol !== 'http/protobuf' && protocol !== 'http/json')
    return without(`${named} is neither http/protobuf nor http/json (a collector takes them on port 4318)`);

  const warnings: string[] = [];
  const by = SAMPLERS[value('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'];
  if (by === undefined)
    warnings.push(`OTEL_TRACES_SAMPLER is none of ${Object.keys(SAMPLERS).join(', ')}: every trace is sent`);
  const asked = value('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const isRatio = /^(?:0|1|[01]?\.\d+)$/.test(asked) && Number(asked) <= 1;
  if (by === 'ratio' && !isRatio)
    warnings.push('OTEL_TRACES_SAMPLER_ARG is not a number from 0 to 1: every trace is sent');
  return {
    traces: { protocol, sampler: { by: by ?? 'on', ratio: isRatio ? Number(asked) : 1 } },
    secrets,
    warnings,
  };
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
