import { describe, expect, test } from 'vitest';
import type { Right } from '../../src/purchasing/model/policy.ts';
import type { Directory, Standing } from '../../src/purchasing/ports/directory.ts';
import { asThemselves, besides, checkRights } from '../../src/purchasing/rules/rights.ts';

type Readable = Extract<Standing, { readable: true }>;
const standing = (overrides: Partial<Readable> = {}): Standing => ({
  readable: true,
  ids: new Set(['U0ANN', 'W0ANN']),
  person: 'W0ANN',
  barred: null,
  rights: new Set(),
  nobodyHas: new Set(),
  ...overrides,
});
const has = (...rights: Right[]) => standing({ rights: new Set(rights) });
const nobodyHas = (...rights: Right[]) => standing({ nobodyHas: new Set(rights) });
const barred = (how: Readable['barred']) => standing({ barred: how, rights: new Set(['buy', 'approve']) });

describe('somebody', () => {
  test.each<[string, Standing, [Right, ...Right[]], object]>([
    ['with the right may', has('buy'), ['buy'], { person: 'W0ANN', rights: new Set(['buy']) }],
    ['with one of several may', has('approve'), ['buy', 'renew', 'approve'], { rights: new Set(['approve']) }],
    ['with another right may not', has('balance'), ['buy'], { refused: 'not_in_group', right: 'buy' }],
    ['with none of several may not', has('balance'), ['renew', 'approve'], { refused: 'not_in_group', right: 'renew' }],
    ['may not where nobody may', nobodyHas('buy'), ['buy'], { refused: 'nobody_in_group', right: 'buy' }],
    [
      'hears of a group where one of several has people',
      nobodyHas('buy'),
      ['buy', 'approve'],
      { refused: 'not_in_group' },
    ],
    ['who is a guest may not, whatever the groups say', barred('guest'), ['buy'], { refused: 'barred', as: 'guest' }],
    ['who is a bot may not', barred('bot'), ['buy'], { refused: 'barred', as: 'bot' }],
    ['who is deactivated may not', barred('deactivated'), ['approve'], { refused: 'barred', as: 'deactivated' }],
    ['of another organisation may not', barred('outsider'), ['approve'], { refused: 'barred', as: 'outsider' }],
    [
      'whom nobody can look up may not',
      { readable: false, retryAfterSeconds: 7 },
      ['buy'],
      { refused: 'rights_unreadable', retryAfterSeconds: 7 },
    ],
  ])('%s', async (_, found, rights, expected) => {
    const directory: Directory = {
      standing: async () => found,
      approvers: async () => undefined,
      idsOf: async () => undefined,
      timeZone: async () => undefined,
    };
    expect(await checkRights(directory, 'U0ANN', rights, 'fresh')).toMatchObject(expected);
  });

  test('is asked about by the id as received, for these rights, as fresh and within as long as it was said', async () => {
    const asked: unknown[] = [];
    const directory: Directory = {
      async standing(...question) {
        asked.push(question);
        return has('buy');
      },
      approvers: async () => undefined,
      idsOf: async () => undefined,
      timeZone: async () => undefined,
    };
    await checkRights(directory, 'U0ANN', ['buy'], 'cached');
    await checkRights(directory, 'U0BEN', ['renew', 'approve'], 'fresh', 9);
    expect(asked).toEqual([
      ['U0ANN', ['buy'], 'cached', 2_000],
      ['U0BEN', ['renew', 'approve'], 'fresh', 9],
    ]);
  });
});

describe('somebody beside the requester', () => {
  const ann = { person: 'W0ANN', ids: new Set(['U0ANN', 'W0ANN']), rights: new Set<Right>(['approve']) };
  const unreadable = { refused: 'rights_unreadable', retryAfterSeconds: 5 };
  const no = { refused: 'not_in_group', right: 'approve' } as const;
  const ids = (...all: string[]) => new Set(all);
  test.each([
    ['shares no id, and stays with their own', ann, ids('U0SAM', 'W0SAM'), ann],
    ['shares one, and has those of both', ann, ids('U1ANN', 'W0ANN'), { ...ann, ids: ids('U0ANN', 'W0ANN', 'U1ANN') }],
    ['may not, where Slack does not tell who the requester is', ann, undefined, unreadable],
    ['who may not, may not', no, ids('U0SAM'), no],
    ['who may not, may not, whoever the requester is', no, undefined, no],
  ])('%s', (_, allowed, requesterIds, expected) => {
    expect(besides(allowed, requesterIds)).toEqual(expected);
  });

  test('of whom Slack does not tell who they are may not', () => {
    expect(asThemselves('U0ANN', undefined)).toEqual(unreadable);
    expect(asThemselves('U0ANN', ids('U0ANN', 'W0ANN'))).toEqual({
      person: 'U0ANN',
      ids: ids('U0ANN', 'W0ANN'),
      rights: new Set(),
    });
  });
});
