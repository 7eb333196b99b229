import Big from 'big.js';
import { isLosslessNumber, parse } from 'lossless-json';

export type LocalOrder = {
  readonly id: string;
  readonly product_id: string;
  readonly quantity: number;
  readonly allocations: readonly { readonly country_iso: string; readonly qty: number }[];
  readonly paid: string;
  readonly renewals: number;
};

/** A documented answer: what would be said, and, only when `carryOut` is called, done. */
export type Documented = {
  readonly status: number;
  readonly body: string;
  readonly bodyWithoutOrderId: string;
  carryOut(): void;
};

export type Account = {
  balance: string;
  pricePerIp: string;
  /** Where an IP costs another price, by country code. */
  countryPrices: Readonly<Record<string, string>>;
  readonly orders: readonly LocalOrder[];
  answerBalance(): Documented;
  answerCreate(body: string): Documented;
  answerRenew(body: string): Documented;
  addOrder(order?: Partial<LocalOrder>): LocalOrder;
};

type Fields = Readonly<Record<string, unknown>>;

/** The vendor's books. Ids start above 2^53, so that a client that makes floats of them buys for another order. */
export function createAccount(start: {
  balance: string;
  pricePerIp: string;
  countryPrices: Readonly<Record<string, string>>;
  firstOrderId: string;
}): Account {
  let nextId = BigInt(start.firstOrderId);
  const orders: LocalOrder[] = [];
  const account: Account = {
    balance: start.balance,
    pricePerIp: start.pricePerIp,
    countryPrices: start.countryPrices,
    get orders() {
      return orders;
    },
    answerBalance: () => success(`{"code":200,"data":{"balance":${account.balance}}}`),
    answerCreate(text) {
      const fields = readObject(text);
      const problem = fields === undefined ? 'body is not a JSON object' : createProblem(fields);
      if (fields === undefined || problem !== undefined) return refusal(400, 400, problem ?? '');
      const { allocations } = fields['purchase_geo'] as { allocations: readonly Fields[] };
      const quantity = Number(fields['quantity']);
      const bought = allocations.map((a) => ({ country_iso: String(a['country_iso']), qty: Number(a['qty']) }));
      return charge(
        price(quantity, bought),
        () => {
          const order: LocalOrder = {
            id: takeId(),
            product_id: String(fields['product_id']),
            quantity,
            allocations: bought,
            paid: price(quantity, bought),
            renewals: 0,
          };
          orders.push(order);
        },
        String(nextId),
      );
    },
    answerRenew(text) {
      const fields = readObject(text);
      const problem = fields === undefined ? 'body is not a JSON object' : renewProblem(fields);
      if (fields === undefined || problem !== undefined) return refusal(400, 400, problem ?? '');
      const id = String(fields['order_id']);
      const order = orders.find((candidate) => candidate.id === id);
      if (order === undefined) return refusal(200, 404, 'order not found');
      return charge(
        price(order.quantity, order.allocations),
        () => {
          const at = orders.findIndex((candidate) => candidate.id === id);
          const now = orders[at] ?? order;
          orders[at] = { ...now, renewals: now.renewals + 1 };
        },
        id,
      );
    },
    addOrder(given) {
      const order = {
        id: given?.id ?? takeId(),
        product_id: 'lt-monthly',
        quantity: 1,
        allocations: [],
        paid: '0',
        renewals: 0,
        ...given,
      };
      orders.push(order);
      return order;
    },
  };
  return account;

  function takeId(): string {
    return String(nextId++);
  }

  /** IPs of no named country cost what most do. */
  function price(quantity: number, allocations: LocalOrder['allocations']): string {
    const named = allocations.reduce((sum, { qty }) => sum + qty, 0);
    return allocations
      .reduce(
        (sum, { country_iso, qty }) =>
          sum.plus(new Big(account.countryPrices[country_iso] ?? account.pricePerIp).times(qty)),
        new Big(account.pricePerIp).times(quantity - named),
      )
      .toFixed(2);
  }

  function charge(cost: string, record: () => void, orderId: string): Documented {
    if (new Big(account.balance).lt(cost)) return refusal(200, 402, 'insufficient balance');
    return {
      status: 200,
      body: `{"code":200,"msg":"success","data":{"order_id":${orderId}}}`,
      bodyWithoutOrderId: '{"code":200,"msg":"success"}',
      carryOut() {
        account.balance = new Big(account.balance).minus(cost).toFixed(2);
        record();
      },
    };
  }
}

export function refusal(status: number, code: number, msg: string): Documented {
  const body = JSON.stringify({ code, msg });
  return { status, body, bodyWithoutOrderId: body, carryOut() {} };
}

function success(body: string): Documented {
  return { status: 200, body, bodyWithoutOrderId: body, carryOut() {} };
}

function readObject(text: string): Fields | undefined {
  try {
    const value = parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** Stricter than the vendor is known to be: exactly the documented fields, so that an extra one is noticed. */
function createProblem(fields: Fields): string | undefined {
  const problem = keysProblem(fields, [
    'product_id',
    'type',
    'network_type',
    'quantity',
    'payment_method',
    'purchase_geo',
  ]);
  if (problem !== undefined) return problem;
  for (const name of ['product_id', 'type', 'network_type']) {
    if (typeof fields[name] !== 'string' || fields[name] === '') return `${name} must be a string`;
  }
  if (fields['payment_method'] !== 'balance') return 'payment_method must be balance';
  if (!isCount(fields['quantity'])) return 'quantity must be an integer';
  const geo = fields['purchase_geo'];
  if (!isObject(geo)) return 'purchase_geo must be an object';
  const allocations = geo['allocations'];
  const geoProblem = keysProblem(geo, ['allocations']);
  if (geoProblem !== undefined) return geoProblem;
  if (!Array.isArray(allocations) || allocations.length === 0) return 'allocations must be an array';
  let sum = 0;
  for (const allocation of allocations as readonly unknown[]) {
    if (!isObject(allocation)) return 'an allocation must be an object';
    const inner = keysProblem(allocation, ['country_iso', 'qty']);
    if (inner !== undefined) return inner;
    if (typeof allocation['country_iso'] !== 'string' || !/^[A-Z]{2}$/.test(allocation['country_iso'])) {
      return 'country_iso must be two capital letters';
    }
    if (!isCount(allocation['qty'])) return 'qty must be an integer';
    sum += Number(allocation['qty']);
  }
  return sum === Number(fields['quantity']) ? undefined : 'quantity must be the sum of qty';
}

function renewProblem(fields: Fields): string | undefined {
  const problem = keysProblem(fields, ['order_id', 'renew_product_id']);
  if (problem !== undefined) return problem;
  if (!isCount(fields['order_id'])) return 'order_id must be an integer';
  return typeof fields['renew_product_id'] === 'string' && fields['renew_product_id'] !== ''
    ? undefined
    : 'renew_product_id must be a string';
}

function keysProblem(fields: Fields, expected: readonly string[]): string | undefined {
  const missing = expected.find((key) => !Object.hasOwn(fields, key));
  if (missing !== undefined) return `${missing} is missing`;
  const extra = Object.keys(fields).find((key) => !expected.includes(key));
  return extra === undefined ? undefined : `${extra} is not a known field`;
}

/** A bare positive integer: a string of digits is not one. */
function isCount(value: unknown): boolean {
  return isLosslessNumber(value) && /^[1-9][0-9]*$/.test(value.value);
}
