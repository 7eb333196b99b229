import { describe, expect, test } from 'vitest';
import { operator } from '../../src/purchasing/model/entries.ts';
import { person } from '../../views/format.ts';

describe('who did something', () => {
  test.each([
    ['U0ANN', '<@U0ANN>'],
    ['W0ANN', '<@W0ANN>'],
    ['desk', 'Proxy Desk itself'],
    [operator('root'), 'the operator root'],
    [operator('U0ANN'), 'the operator U0ANN'],
    [operator('<@U0ANN>'), 'the operator &lt;＠U0ANN&gt;'],
    [operator('<!here>'), 'the operator &lt;!here&gt;'],
    ['somebody', 'somebody'],
  ])('%s is shown as %s', (by, shown) => {
    expect(person(by)).toBe(shown);
  });
});
