import { parse } from 'yaml';

/** Where Slack opens its form for a new app with a manifest filled in. */
const NEW_APP = 'https://api.slack.com/apps?new_app=1&manifest_json=';

/**
 * The address that makes the app. JSON without blanks is the shortest form: about 2,200 characters, where browsers take 32,000 and
 * servers 8,000.
 * @param requestUrl HTTP mode's; undefined for Socket Mode
 */
export function newAppUrl(manifest: string, requestUrl: string | undefined): string {
  const encoded = encodeURIComponent(JSON.stringify(parse(manifestFor(manifest, requestUrl))));
  // An address ends at an apostrophe or bracket for many terminals.
  return `${NEW_APP}${encoded.replace(/['()*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** As the head of manifest.yml tells people to do by hand. */
function manifestFor(manifest: string, requestUrl: string | undefined): string {
  if (requestUrl === undefined) return manifest;
  return manifest
    .replace('socket_mode_enabled: true', 'socket_mode_enabled: false')
    .replace(/#http (.*?url: )\S+/g, (_, key: string) => `${key}${requestUrl}`);
}
