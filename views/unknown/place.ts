import type { Surroundings } from '../../src/purchasing/model/surroundings.ts';

/** Where the card of an unknown outcome is, for the other messages about the purchase. */
export function unknownCardPlace({ links, cardsIn }: Pick<Surroundings, 'links' | 'cardsIn'>): string {
  if (links.unknownCard !== null) return `<${links.unknownCard}|the card of its unknown outcome>`;
  return cardsIn === null
    ? 'the card that each approver has by direct message'
    : `the card of its unknown outcome in <#${cardsIn}>`;
}
