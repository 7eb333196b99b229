import type { Act, ActResult, Push } from '../demo/wire.ts';

/** Pushes as they come, from the snapshot on; the browser connects again by itself. Returns what ends it. */
export function listen(heard: (push: Push) => void, connected: (isConnected: boolean) => void): () => void {
  const source = new EventSource('/events');
  source.onmessage = ({ data }) => heard(JSON.parse(String(data)) as Push);
  source.onerror = () => connected(false);
  return () => source.close();
}

/** Letters that are still on their way to the server. Every act waits for them, so that the app sees what is on the screen. */
let typing: Promise<unknown> = Promise.resolve();

export async function act(deed: Act): Promise<ActResult> {
  if (deed.do === 'enter') {
    const sent = typing.then(() => post(deed));
    typing = sent;
    return sent;
  }
  await typing;
  return post(deed);
}

async function post(deed: Act): Promise<ActResult> {
  try {
    const answer = await fetch('/act', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(deed),
    });
    return (await answer.json()) as ActResult;
  } catch {
    return { ok: false, error: 'The sandbox does not answer. Is “npm run demo” still running?' };
  }
}

export function fileUrl(id: string): string {
  return `/file?id=${encodeURIComponent(id)}`;
}
