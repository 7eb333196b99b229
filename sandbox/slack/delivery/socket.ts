import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Core, violate } from '../core.ts';
import { isDict, parseJson } from '../json.ts';

/** Slack's cap per app; the next one is told to go. */
const CONNECTIONS_MAX = 10;
const PING_EVERY_MS = 10_000;
/** Longer than any test: how long TCP stays open is for `settings.keepTcpOpen` to say, not for `ws`. */
const OPTIONS = { noServer: true, closeTimeout: 2 ** 31 - 1 };
/** A peer that does not answer the closing handshake is cut off. */
const CLOSE_PATIENCE_MS = 500;

export interface Sockets {
  issueTicket: (core: Core) => string;
  upgrade: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Connections that take envelopes. */
  count: () => number;
  /** Sends one envelope to one connection, in rotation; false when there is none. */
  send: (envelope: Record<string, unknown>, onAck: (payload: unknown) => void) => boolean;
  /** The person no longer waits for it: it is not sent again. A late acknowledgement is still recorded. */
  giveUp: (envelopeId: string) => void;
  /**
   * Asks every connection to reconnect, as Slack does every few hours; each stays open until the app closes it, or `close`
   * of the answer does. `stillTakes`: it gets its share of envelopes until then.
   */
  disconnect: (reason?: string, options?: { stillTakes?: boolean }) => { close: () => void };
  /** Says goodbye on every connection, without having asked for another. */
  hangUp: () => void;
  /** Cuts every connection without a word. */
  drop: () => void;
  /** The next n envelopes go to a dead connection that nobody reads. */
  loseNext: (n?: number) => void;
  /** Ends the TCP connections that `settings.keepTcpOpen` left open. */
  releaseTcp: () => void;
  /** Sends any text to one connection, for malformed frames. */
  raw: (text: string) => void;
  close: () => Promise<void>;
}

interface Waiting {
  envelope: Record<string, unknown>;
  onAck: (payload: unknown) => void;
  /** Where it was sent; null: to no connection that still is. */
  socket: WebSocket | null;
  isGivenUp: boolean;
}

export function createSockets(core: Core): Sockets {
  const server = new WebSocketServer(OPTIONS);
  const tickets = new Set<string>();
  const open = new Set<WebSocket>();
  /** The closing handshake is done, TCP is not ended; with what ends it. */
  const held = new Map<WebSocket, () => void>();
  const taking: WebSocket[] = [];
  const waiting = new Map<string, Waiting>();
  let turn = 0;
  let losing = 0;

  const pings = setInterval(() => {
    for (const socket of open) socket.ping();
  }, PING_EVERY_MS);

  const retire = (socket: WebSocket) => {
    const index = taking.indexOf(socket);
    if (index >= 0) taking.splice(index, 1);
  };

  const leave = (socket: WebSocket) => {
    if (!open.delete(socket)) return;
    retire(socket);
    core.feed.emit({ type: 'socket_closed', connections: taking.length });
    for (const entry of waiting.values()) if (entry.socket === socket) entry.socket = null;
    redeliver();
  };

  const next = (): WebSocket | undefined => {
    turn += 1;
    return taking[turn % Math.max(1, taking.length)];
  };

  /** What was on a connection that ended before the acknowledgement. */
  const redeliver = () => {
    if (core.settings.unackedAtClose === 'lost') return;
    for (const entry of waiting.values()) {
      if (entry.socket || entry.isGivenUp) continue;
      entry.socket = next() ?? null;
      const attempt = Number(entry.envelope['retry_attempt'] ?? 0) + 1;
      entry.socket?.send(JSON.stringify({ ...entry.envelope, retry_attempt: attempt, retry_reason: 'timeout' }));
    }
  };

  /** `ws` ends TCP as soon as both sides have said goodbye; Slack may not. */
  const delayEndOfTcp = (socket: WebSocket, tcp: Duplex) => {
    const end = tcp.end.bind(tcp);
    tcp.end = () => {
      leave(socket);
      // A peer that ended its side is gone: nothing to keep open.
      if (!core.settings.keepTcpOpen || tcp.readableEnded) return end();
      held.set(socket, end);
      return tcp;
    };
  };

  const accept = (socket: WebSocket, tcp: Duplex) => {
    open.add(socket);
    delayEndOfTcp(socket, tcp);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      held.delete(socket);
      leave(socket);
    });
    if (taking.length >= CONNECTIONS_MAX) {
      violate(core, 'too_many_websockets', 'socket', `${taking.length + 1} connections`);
      socket.send(frame('disconnect', { reason: 'too_many_websockets' }));
      return;
    }
    taking.push(socket);
    socket.on('message', (data) => receive(Buffer.isBuffer(data) ? data.toString() : ''));
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: taking.length,
        debug_info: { host: 'sandbox', build_number: 1, approximate_connection_time: 18_060 },
        connection_info: { app_id: core.state.bot.appId },
      }),
    );
    core.feed.emit({ type: 'socket_opened', connections: taking.length });
    redeliver();
  };

  const receive = (text: string) => {
    const parsed = parseJson(text);
    const id = parsed.ok && isDict(parsed.value) ? parsed.value['envelope_id'] : undefined;
    if (!parsed.ok || typeof id !== 'string') return violate(core, 'malformed acknowledgement', 'socket', text);
    waiting.get(id)?.onAck(isDict(parsed.value) ? parsed.value['payload'] : undefined);
    waiting.delete(id);
  };

  return {
    issueTicket({ origin, state, ids }) {
      const ticket = ids.random(8);
      tickets.add(ticket);
      return `${origin.replace('http', 'ws')}/link/?ticket=${ticket}&app_id=${state.bot.appId}`;
    },
    upgrade(req, socket, head) {
      const url = new URL(req.url ?? '/', core.origin);
      if (url.pathname !== '/link/' || !tickets.delete(url.searchParams.get('ticket') ?? '')) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(req, socket, head, (accepted) => accept(accepted, socket));
    },
    count: () => taking.length,
    send(envelope, onAck) {
      if (losing > 0) {
        losing -= 1;
        return true;
      }
      const socket = next();
      if (!socket) return false;
      waiting.set(String(envelope['envelope_id']), { envelope, onAck, socket, isGivenUp: false });
      socket.send(JSON.stringify(envelope));
      return true;
    },
    giveUp(envelopeId) {
      const entry = waiting.get(envelopeId);
      if (entry) entry.isGivenUp = true;
    },
    disconnect(reason = 'refresh_requested', { stillTakes = false } = {}) {
      const told = taking.slice();
      for (const socket of told) {
        socket.send(frame('disconnect', { reason }));
        if (!stillTakes) retire(socket);
      }
      return {
        close() {
          for (const socket of told) socket.close(1000);
        },
      };
    },
    hangUp() {
      for (const socket of taking.slice()) socket.close(1000);
    },
    drop() {
      for (const socket of open) socket.terminate();
    },
    loseNext(n = 1) {
      losing = n;
    },
    releaseTcp() {
      for (const end of held.values()) end();
    },
    raw: (text) => taking[0]?.send(text),
    async close() {
      clearInterval(pings);
      waiting.clear();
      for (const socket of held.keys()) socket.terminate();
      await Promise.all([...open].map(closeSocket));
      server.close();
    },
  };
}

function frame(type: string, fields: Record<string, unknown>): string {
  return JSON.stringify({ type, ...fields, debug_info: { host: 'sandbox' } });
}

function closeSocket(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(() => socket.terminate(), CLOSE_PATIENCE_MS);
  socket.once('close', () => {
    clearTimeout(timer);
    resolve();
  });
  socket.close(1001);
  return promise;
}
