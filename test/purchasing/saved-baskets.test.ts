import { describe, expect, test } from 'vitest';
import {
  BASKETS_AT_MOST,
  type BasketFacts,
  basketName,
  foldedName,
  LONGEST_BASKET_NAME,
  type SavedBasket,
} from '../../src/purchasing/model/saved-basket.ts';
import type { Clicker } from '../../src/purchasing/rules/rights.ts';
import { decideRemoving, decideRenaming, decideSaving } from '../../src/purchasing/rules/saved-baskets.ts';
import { NOW, somebody } from './fixture.ts';

const SAM = somebody('U0SAM', 'W0SAM', 'buy');
const EVE = somebody('U0EVE', 'W0EVE', 'buy');
const ANN = somebody('U0ANN', 'W0ANN', 'approve');
const NOBODY: Clicker = { user: 'U0SUE', allowed: { refused: 'not_in_group', right: 'buy' } };
const BASKET = [{ country: 'US', quantity: 10 }];
const SAVED: SavedBasket = { id: 'S-1', name: 'Europe', basket: BASKET, plan: '1', by: SAM.user, at: NOW - 9 };
const OTHER: SavedBasket = { ...SAVED, id: 'S-2', name: 'Asia' };
const NEW = { id: 'S-9', typed: 'Crawler', basket: BASKET, plan: null };

const facts = (over: Partial<BasketFacts> = {}): BasketFacts => ({
  now: NOW,
  saved: [SAVED, OTHER],
  deliveredBefore: null,
  ...over,
});

describe('two names are the same', () => {
  test.each([
    ['in any case', 'EUROPE', 'europe'],
    ['in any case beyond ASCII', 'ÉCOLE STRASSE', 'école straße'],
    ['in any case at the end of a Greek word', 'ΟΔΟΣ', 'οδος'],
    ['however an accent is written', 'caf\u00e9', 'cafe\u0301'],
    ['in full-width letters', 'ＡＢ　１', 'ab 1'],
    ['with any white space around and between', ' \u00a0a \t\n b\u2003', 'a b'],
    ['with characters between that nobody sees', 'a\u200b\u2060\ufeff\u00ad\u202eb\u{e0041}\ufe0f', 'ab'],
    ['with what looks blank', 'a\u2800b', 'a b'],
  ])('%s', (_, one, other) => expect(foldedName(one)).toBe(foldedName(other)));

  test.each([
    ['a', 'b'],
    ['a b', 'ab'],
    ['🚀', '🛰'],
    ['1', '2'],
  ])('but not %s and %s', (one, other) => expect(foldedName(one)).not.toBe(foldedName(other)));
});

describe('a name is kept', () => {
  test.each([
    ['as it was typed', '<!channel> *x* & :smile:', '<!channel> *x* & :smile:'],
    ['on one line', '  a\r\n\t b \u2028c ', 'a b c'],
    ['with the joiners that emoji need', '👩‍👩‍👧', '👩‍👩‍👧'],
    ['without half of a character', 'a\ud83d', 'a\ufffd'],
  ])('%s', (_, typed, name) => expect(basketName(typed)).toBe(name));
});

type Decided = ReturnType<typeof decideSaving> | ReturnType<typeof decideRemoving>;
const said = ({ result, entry, click }: Decided) => ({
  result: 'refused' in result ? result.refused : 'name' in result ? result.name : 'gone',
  entry: entry && `${entry.by} ${entry.detail.kind} ${entry.detail.name}`,
  click,
});

const many = Array.from({ length: BASKETS_AT_MOST }, (_, n) => ({ ...SAVED, id: `S-${n + 10}`, name: `n ${n}` }));
const longest = '👍'.repeat(LONGEST_BASKET_NAME);
const save = (typed: string, by: Clicker = SAM, over: Partial<BasketFacts> = {}) =>
  decideSaving(facts(over), by, { ...NEW, typed });
const rename = (typed: string, by: Clicker = SAM, over: Partial<BasketFacts> = {}) =>
  decideRenaming(facts(over), by, 'S-1', typed);
const remove = (by: Clicker = SAM, over: Partial<BasketFacts> = {}) => decideRemoving(facts(over), by, 'S-1');
const no = (refused: string) => ({ result: refused, entry: undefined, click: 'refused' as const });

describe('a basket', () => {
  test.each<[string, Decided, ReturnType<typeof said>]>([
    [
      'is saved by whoever may buy',
      save(' Crawler '),
      { result: 'Crawler', entry: 'U0SAM basket_saved Crawler', click: 'done' },
    ],
    ['is not saved by others', save('Crawler', NOBODY), no('not_in_group')],
    ['needs a name', save(' \u200b\u2800 '), no('basket_name_missing')],
    ['may have a long name, emoji counted as people count', save(longest), { ...said(save(longest)), result: longest }],
    ['may not have a longer one', save(`${longest}1`), no('basket_name_too_long')],
    ['needs a name of its own', save('EUROPE'), no('basket_name_taken')],
    ['is not saved where there are too many', save('Crawler', SAM, { saved: many }), no('too_many_baskets')],
    [
      'is saved once from one view, whatever the name on the second submit',
      save('Again', SAM, { saved: [{ ...SAVED, id: 'S-9' }] }),
      { result: 'Europe', entry: undefined, click: 'done' },
    ],
    ['is renamed by whoever saved it', rename('EU'), { result: 'EU', entry: 'U0SAM basket_renamed EU', click: 'done' }],
    [
      'is renamed by whoever saved it under another id',
      rename('EU', { ...SAM, user: 'W0SAM' }),
      { result: 'EU', entry: 'W0SAM basket_renamed EU', click: 'done' },
    ],
    [
      'is renamed by who approves',
      rename('EU', ANN),
      { result: 'EU', entry: 'U0ANN basket_renamed EU', click: 'done' },
    ],
    ['is not renamed by somebody else who may buy', rename('EU', EVE), no('not_basket_maker')],
    ['is not renamed by who has no right any more', rename('EU', NOBODY), no('not_in_group')],
    ['may change the case of its own name', rename('EUROPE'), { ...said(rename('EUROPE')), result: 'EUROPE' }],
    [
      'keeps its name where it is renamed to it',
      rename('Europe'),
      { result: 'Europe', entry: undefined, click: 'done' },
    ],
    ['is not renamed to nothing', rename(''), no('basket_name_missing')],
    ['is not renamed to the name of another', rename(' asia'), no('basket_name_taken')],
    ['is not renamed when it is gone', rename('EU', SAM, { saved: [OTHER] }), no('no_such_basket')],
    [
      'is removed by whoever saved it',
      remove(),
      { result: 'gone', entry: 'U0SAM basket_removed Europe', click: 'done' },
    ],
    [
      'is removed by who approves',
      remove(ANN),
      { result: 'gone', entry: 'U0ANN basket_removed Europe', click: 'done' },
    ],
    ['is not removed by somebody else who may buy', remove(EVE), no('not_basket_maker')],
    ['is not removed when it is gone', remove(SAM, { saved: [] }), no('no_such_basket')],
  ])('%s', (_, decided, expected) => expect(said(decided)).toEqual(expected));

  const again = { deliveredBefore: 'done' } as const;
  const refused = { deliveredBefore: 'refused' } as const;
  test.each<[string, Decided, string]>([
    ['saved', save('Crawler', SAM, { ...again, saved: [{ ...SAVED, id: 'S-9' }] }), 'Europe'],
    ['saved, and removed since', save('Crawler', SAM, again), 'no_such_basket'],
    ['not saved, which it could be now', save('Crawler', SAM, refused), 'delivered_again'],
    ['not saved, which it still could not', save('Europe', SAM, refused), 'basket_name_taken'],
    ['renamed, and renamed again since', rename('EU', SAM, again), 'Europe'],
    ['not renamed', rename('EU', SAM, refused), 'delivered_again'],
    ['removed, and another saved since', remove(SAM, again), 'gone'],
    ['not removed', remove(EVE, refused), 'not_basket_maker'],
  ])('is left alone by a click that comes again: %s', (_, decided, result) =>
    expect(said(decided)).toEqual({ result, entry: undefined, click: undefined }),
  );
});
