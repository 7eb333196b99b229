/** The paths of vendor-api.md, under a base URL that may have a prefix and a trailing slash. */
export type Endpoints = {
  /** Scheme, host and port: what undici connects to. */
  readonly origin: string;
  readonly balance: string;
  readonly create: string;
  readonly renew: string;
};

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/;

/**
 * Throws on a base URL with which the token would not be safe; the message never quotes it, since it may hold a password.
 * Configuration says the same in better words at start; this is the last door.
 */
export function readEndpoints(baseUrl: string): Endpoints {
  const url = URL.parse(baseUrl);
  if (url === null) throw new TypeError('the vendor base URL is not a URL');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
    throw new TypeError(
      'the vendor base URL must be https (http only on loopback), or the token would travel in clear',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('the vendor base URL must have no user, password, query or fragment');
  }
  const prefix = url.pathname.replace(/\/+$/, '');
  return {
    origin: url.origin,
    balance: `${prefix}/v2/balance`,
    create: `${prefix}/v2/orders/create`,
    renew: `${prefix}/v2/orders/renew`,
  };
}
