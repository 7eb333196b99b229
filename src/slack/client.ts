/** A call to Slack is given up after this: whoever waits for its result has turned away. */
const SLACK_CALL_WITHIN_MS = 5_000;

/** No retries: a repeated `chat.postMessage` posts a second message, and waiting for a rate limit makes an answer late. */
export function clientOptions(slackApiUrl: string) {
  return { slackApiUrl, timeout: SLACK_CALL_WITHIN_MS, rejectRateLimitedCalls: true, retryConfig: { retries: 0 } };
}
