import type { Plan } from '../../src/purchasing/model/policy.ts';

export const MONTHLY: Plan = {
  productId: 'lt-monthly',
  name: 'Static residential, monthly',
  type: 'long-term',
  networkType: 'residential',
  term: { amount: 1, unit: 'month' },
  termText: '1 month',
};

export const YEARLY: Plan = {
  ...MONTHLY,
  productId: 'lt-yearly',
  name: 'Static residential, yearly',
  term: { amount: 1, unit: 'year' },
  termText: '1 year',
};

/** The `plans` of a `policy.yml` that offers these. */
export function plansYaml(...plans: readonly Plan[]): string {
  const lines = plans.map(
    ({ productId, name, type, networkType, termText }) =>
      `  - { product_id: ${productId}, name: "${name}", type: ${type}, network_type: ${networkType}, term: ${termText} }`,
  );
  return ['plans:', ...lines].join('\n');
}
