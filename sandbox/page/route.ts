import { useEffect, useState } from 'preact/hooks';

/** Who looks, and at what: kept in the address (`#/ada/general`), so that each tab can be somebody else. */
export interface Route {
  readonly person: string;
  readonly where: string;
}

export function readRoute(hash: string): Partial<Route> {
  const [, person, where] = /^#\/([^/]+)(?:\/([^/]+))?$/.exec(hash) ?? [];
  return {
    ...(person ? { person: decodeURIComponent(person) } : {}),
    ...(where ? { where: decodeURIComponent(where) } : {}),
  };
}

export function goTo({ person, where }: Route): void {
  history.pushState(null, '', `#/${encodeURIComponent(person)}/${encodeURIComponent(where)}`);
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
