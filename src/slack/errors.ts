import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';

/** What went wrong with a call to Slack, by what it means for us. */
export type SlackTrouble =
  /** Slack read the call and said no. */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  /** No answer, or none that can be read: a message may have been posted all the same. */
  | { readonly kind: 'unreachable'; readonly why: string };

const RETRY_AFTER_DEFAULT_S = 30;

export function troubleOf(error: unknown): SlackTrouble {
  // Less than a second would be tried again without a pause.
  if (error instanceof WebAPIRateLimitedError)
    return { kind: 'rate_limited', retryAfterSeconds: Math.max(1, error.retryAfter) };
  if (isLimitedWithoutTime(error)) return { kind: 'rate_limited', retryAfterSeconds: RETRY_AFTER_DEFAULT_S };
  if (error instanceof WebAPIPlatformError) {
    // What stands between answers with JSON of its own, too.
    const code: unknown = error.data.error;
    if (typeof code !== 'string') return { kind: 'unreachable', why: 'no answer of Slack’s' };
    if (code === 'ratelimited' || code === 'rate_limited')
      return { kind: 'rate_limited', retryAfterSeconds: RETRY_AFTER_DEFAULT_S };
    // Slack's own outages come this way too, and an HTML page arrives as the error's text.
    return /^[a-z_]+$/.test(code) && !TRANSIENT.has(code)
      ? { kind: 'refused', code }
      : { kind: 'unreachable', why: code.slice(0, 80) };
  }
  if (error instanceof WebAPIHTTPError) return { kind: 'unreachable', why: `HTTP ${error.statusCode}` };
  return { kind: 'unreachable', why: rootCause(error).slice(0, 80) };
}

/** HTTP status 429 whose Retry-After is missing, or no number: the library has no class for it. */
function isLimitedWithoutTime(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Retry header did not contain a valid timeout');
}

/** For whoever runs the bot: what keeps its calls from being answered. */
export function botTrouble(trouble: SlackTrouble): string {
  switch (trouble.kind) {
    case 'refused':
      return `Slack refuses SLACK_BOT_TOKEN (${trouble.code})`;
    case 'rate_limited':
      return 'Slack cannot be reached (rate_limited)';
    case 'unreachable':
      return `Slack cannot be reached (${trouble.why})`;
    default:
      return trouble satisfies never;
  }
}

/** `fetch failed` says nothing; what is under it does: ENOTFOUND, ECONNREFUSED, CERT_HAS_EXPIRED, TimeoutError. */
function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  if (error.cause instanceof Error) return rootCause(error.cause);
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name;
}

const TRANSIENT = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);

/** `views.update` of a view that the person has closed. */
export function isClosedView(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.kind === 'refused' && trouble.code === 'not_found';
}

/** The trigger has opened a view already, at an earlier delivery of the same click. */
export function isExchanged(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble.kind === 'refused' && trouble.code === 'exchanged_trigger_id';
}

/** `views.open` with a trigger that has lived for 3 s. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof WebAPIPlatformError)) return false;
  const { error: code, response_metadata: more } = error.data;
  // Slack names the argument; where it does not, the trigger is the one that people's delay makes invalid.
  const named = more?.messages ?? [];
  if (code === 'invalid_arguments') return named.length === 0 || named.some((text) => /trigger_id.*expired/.test(text));
  return ['expired_trigger_id', 'invalid_trigger_id'].includes(code);
}
