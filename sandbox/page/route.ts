import { useEffect, useState } from 'preact/hooks';

/** Who looks, and at what: kept in the address (`#/ada/general`), so that each tab can be somebody else. */
export interface Route {
  readonly person: string;
  /** A channel's name, or `app`. */
  readonly where: string;
  /** The `ts` of the message whose thread is open. */
  readonly thread?: string;
}

export function readRoute(hash: string): Partial<Route> {
  const [, person, where, thread] = /^#\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(hash) ?? [];
  return {
    ...(person ? { person: decodeURIComponent(person) } : {}),
    ...(where ? { where: decodeURIComponent(where) } : {}),
    ...(thread ? { thread: decodeURIComponent(thread) } : {}),
  };
}

export function goTo({ person, where, thread }: Route): void {
  const parts = [person, where, ...(thread === undefined ? [] : [thread])];
  history.pushState(null, '', `#/${parts.map(encodeURIComponent).join('/')}`);
  // At once: what is typed next must not land on the screen of the one before.
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Partial<Route> {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return readRoute(hash);
}
