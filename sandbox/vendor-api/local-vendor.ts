import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Account, createAccount, type Documented, refusal } from './account.ts';
import { type Endpoint, MISBEHAVIOURS, type Misbehaviour } from './misbehaviours.ts';
import { lengthOfRequest, type ParsedRequest, parseRequest, type RawRequest } from './raw-request.ts';
import { type Script, writeScript } from './script.ts';
import type { LocalVendor, LocalVendorEvent, LocalVendorOptions } from './types.ts';

/**
 * A vendor on a loopback socket. It speaks HTTP itself, byte by byte, so that it sees exactly what a client sent and can
 * answer with what no HTTP library would write. For "connection refused" and the like see ports.ts.
 */
export async function startLocalVendor(options: LocalVendorOptions = {}): Promise<LocalVendor> {
  const token = options.token ?? 'local-master-user-token-0123456789';
  const now = options.now ?? Date.now;
  const prefix = options.prefix ?? '';
  const account = createAccount({
    balance: options.balance ?? '1000.00',
    pricePerIp: options.pricePerIp ?? '3.20',
    countryPrices: options.countryPrices ?? {},
    firstOrderId: options.firstOrderId ?? '9007199254740993',
  });
  const plans = createPlans();
  const requests: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const listeners = new Set<(event: LocalVendorEvent) => void>();
  let waiting: (() => void)[] = [];
  let connections = 0;
  let bytesReceived = 0;

  const server = createServer({ allowHalfOpen: true }, accept);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}${prefix}`;

  const vendor: LocalVendor = {
    baseUrl,
    port,
    token,
    get balance() {
      return account.balance;
    },
    set balance(value) {
      account.balance = value;
      emit('changed', `balance ${value}`);
    },
    get pricePerIp() {
      return account.pricePerIp;
    },
    set pricePerIp(value) {
      account.pricePerIp = value;
      emit('changed', `price per IP ${value}`);
    },
    get countryPrices() {
      return account.countryPrices;
    },
    set countryPrices(value) {
      account.countryPrices = value;
      emit('changed', 'prices by country');
    },
    get orders() {
      return account.orders;
    },
    requests,
    get posts() {
      return requests.filter((request) => request.raw.startsWith('POST ')).length;
    },
    get connections() {
      return connections;
    },
    get bytesReceived() {
      return bytesReceived;
    },
    get held() {
      return waiting.length;
    },
    next(endpoint, ...misbehaviours) {
      plans.next[endpoint].push(...misbehaviours);
      emit('changed', `next on ${endpoint}: ${misbehaviours.map((m) => MISBEHAVIOURS[m.name].label).join(', ')}`);
    },
    always(endpoint, misbehaviour) {
      plans.always[endpoint] = misbehaviour;
      emit('changed', `always on ${endpoint}: ${MISBEHAVIOURS[misbehaviour?.name ?? 'as_documented'].label}`);
    },
    behave() {
      Object.assign(plans, createPlans());
      emit('changed', 'as documented everywhere');
    },
    release(count = waiting.length) {
      const released = waiting.slice(0, count);
      waiting = waiting.slice(count);
      for (const go of released) go();
    },
    addOrder: (order) => account.addOrder(order),
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    until: (condition) =>
      new Promise((resolve) => {
        if (condition()) return resolve();
        const off = vendor.on(() => {
          if (!condition()) return;
          off();
          resolve();
        });
      }),
    view: () =>
      structuredClone({
        baseUrl,
        balance: account.balance,
        pricePerIp: account.pricePerIp,
        countryPrices: account.countryPrices,
        orders: account.orders,
        requests: requests.map((request) => ({
          ...request,
          raw: mask(request.raw),
          ...(request.answer === undefined ? {} : { answer: mask(request.answer) }),
        })),
        held: waiting.length,
        next: plans.next,
        always: plans.always,
        misbehaviours: MISBEHAVIOURS,
      }),
    async close() {
      listeners.clear();
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return vendor;

  function accept(socket: Socket): void {
    const connection = ++connections;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {}); // the client went away: the test looks at the client
    socket.on('end', () => socket.end());
    const misbehaviour = takeFrom(plans, 'connection');
    emit('connection', `connection ${connection}`);
    if (misbehaviour?.name === 'reset_on_connect') {
      socket.resetAndDestroy();
      return;
    }
    if (misbehaviour?.name === 'never_read') return; // what comes stays in the kernel
    let current: RawRequest | undefined;
    socket.on('data', (chunk) => {
      bytesReceived += chunk.byteLength;
      let rest = chunk.toString('latin1');
      while (rest !== '') {
        current ??= begin(connection);
        const all = current.raw + rest;
        const length = lengthOfRequest(all);
        current.raw = length === undefined ? all : all.slice(0, length);
        rest = length === undefined ? '' : all.slice(length);
        if (length === undefined) emit('request', 'a part of a request');
        else {
          current.complete = true;
          const record = current;
          const request = parseRequest(record.raw);
          current = undefined;
          emit('request', `${request.method} ${request.path}`);
          answer(socket, request, record);
        }
      }
    });
  }

  function begin(connection: number): RawRequest {
    const request = { id: requests.length + 1, connection, at: now(), raw: '', complete: false };
    requests.push(request);
    return request;
  }

  function answer(socket: Socket, request: ParsedRequest, record: RawRequest): void {
    const endpoint = endpointOf(request);
    const documented = answerAsDocumented(endpoint, request, account);
    const misbehaviour = (endpoint === undefined ? undefined : takeFrom(plans, endpoint)) ?? { name: 'as_documented' };
    const script = writeScript(misbehaviour, documented, { token, at: now() });
    record.played = misbehaviour.name;
    if (script.charge) documented.carryOut();
    const close = request.headers.get('connection')?.toLowerCase() === 'close';
    const go = () =>
      play(
        socket,
        close && script.ending === 'keep' && script.bytes !== null ? { ...script, ending: 'close' } : script,
        record,
      );
    if (script.hold) {
      waiting.push(go);
      emit('held', `${request.method} ${request.path}`);
    } else if (script.delayMs > 0) later(script.delayMs, go);
    else go();
  }

  function endpointOf({ method, path }: ParsedRequest): Exclude<Endpoint, 'connection'> | undefined {
    if (method === 'GET' && path === `${prefix}/v2/balance`) return 'balance';
    if (method === 'POST' && path === `${prefix}/v2/orders/create`) return 'create';
    if (method === 'POST' && path === `${prefix}/v2/orders/renew`) return 'renew';
    return undefined;
  }

  function answerAsDocumented(endpoint: Endpoint | undefined, request: ParsedRequest, books: Account): Documented {
    if (request.headers.get('authorization') !== `Bearer ${token}`) return refusal(401, 401, 'invalid token');
    if (request.headers.get('content-type') !== 'application/json') return refusal(415, 415, 'send application/json');
    switch (endpoint) {
      case 'balance':
        return books.answerBalance();
      case 'create':
        return books.answerCreate(request.body);
      case 'renew':
        return books.answerRenew(request.body);
      default:
        return refusal(404, 404, 'no such call');
    }
  }

  function play(socket: Socket, script: Script, record: RawRequest): void {
    if (!socket.writable) return;
    if (script.dripMs !== null && script.bytes !== null) {
      const head = script.bytes.indexOf('\r\n\r\n') + 4;
      sent(record, script.bytes.subarray(0, head));
      socket.write(script.bytes.subarray(0, head));
      drip(socket, script, script.bytes.subarray(head), script.dripMs, record);
      return;
    }
    const end = () => {
      if (script.ending === 'reset') socket.resetAndDestroy();
      if (script.ending === 'close') socket.end();
      emit('answer', script.bytes === null ? 'no answer' : mask(script.bytes.toString('latin1')));
    };
    if (script.bytes !== null) sent(record, script.bytes);
    // A reset must not overtake the half answer: it follows once the kernel has the bytes.
    if (script.bytes === null) end();
    else socket.write(script.bytes, () => (script.ending === 'reset' ? later(20, end) : end()));
  }

  function drip(socket: Socket, script: Script, bytes: Buffer, everyMs: number, record: RawRequest): void {
    if (!socket.writable) return;
    if (bytes.byteLength === 0) {
      play(socket, { ...script, bytes: Buffer.alloc(0), dripMs: null }, record);
      return;
    }
    sent(record, bytes.subarray(0, 1));
    socket.write(bytes.subarray(0, 1));
    later(everyMs, () => drip(socket, script, bytes.subarray(1), everyMs, record));
  }

  function sent(record: RawRequest, bytes: Buffer): void {
    record.answer = (record.answer ?? '') + bytes.toString('latin1');
  }

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function mask(text: string): string {
    return text.replaceAll(token, '•••');
  }

  function emit(type: LocalVendorEvent['type'], text: string): void {
    const event = { type, at: now(), text };
    for (const listener of listeners) listener(event);
  }
}

type Plans = {
  next: Record<Endpoint, Misbehaviour[]>;
  always: Record<Endpoint, Misbehaviour | null>;
};

function createPlans(): Plans {
  const every = <T>(make: () => T) => ({ connection: make(), balance: make(), create: make(), renew: make() });
  return { next: every<Misbehaviour[]>(() => []), always: every<Misbehaviour | null>(() => null) };
}

function takeFrom(plans: Plans, endpoint: Endpoint): Misbehaviour | undefined {
  return plans.next[endpoint].shift() ?? plans.always[endpoint] ?? undefined;
}
