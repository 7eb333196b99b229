import { describe, expect, it } from 'vitest';
import { COMMAND, registerCommands } from '../../commands/index.ts';
import type { HandlerContext, Listeners } from '../../src/slack/listeners.ts';
import { registerViews } from '../../views/handlers/index.ts';
import { ACTION, CALLBACK, SHORTCUT } from '../../views/ids.ts';

/** Fields tell nothing while they are typed in; they are read when a view is submitted. */
const SILENT = [
  'plan',
  'quantity',
  'reason',
  'separate',
  'neverSeen',
  'note',
  'orderId',
  'pasteText',
  'importText',
  'question',
  'answerText',
  'heir',
  'basketName',
  'strikeOut',
];

/** Asks for what there is to choose from, and tells what was chosen. */
const ASKING_AND_TELLING = ['savedBasket'];

function registered() {
  const names: Record<keyof Listeners, string[]> = {
    command: [],
    action: [],
    submit: [],
    suggest: [],
    shortcut: [],
    homeOpened: [],
  };
  const on: Listeners = {
    command: (name) => names.command.push(name),
    action: (name) => names.action.push(name),
    submit: (name) => names.submit.push(name),
    suggest: (name) => names.suggest.push(name),
    shortcut: (name) => names.shortcut.push(name),
    homeOpened: () => names.homeOpened.push('app_home_opened'),
  };
  registerCommands(on, {} as HandlerContext);
  registerViews(on, {} as HandlerContext);
  return names;
}

describe('whatever can be clicked, submitted or typed has exactly one listener', () => {
  it('for buttons and type-aheads', () => {
    const speaking = Object.entries(ACTION).filter(([name]) => !SILENT.includes(name));
    const { action, suggest } = registered();
    const both = speaking.filter(([name]) => ASKING_AND_TELLING.includes(name));
    expect([...action, ...suggest].sort()).toEqual([...speaking, ...both].map(([, id]) => id).sort());
    expect(suggest).toEqual(expect.arrayContaining(both.map(([, id]) => id)));
  });

  it('for views with a submit', () => {
    const { plain: _, ...submitted } = CALLBACK;
    expect(registered().submit.sort()).toEqual(Object.values(submitted).sort());
  });

  it('for the one command, the shortcuts and the Home tab', () => {
    expect(registered().command).toEqual([COMMAND]);
    expect(registered().homeOpened).toHaveLength(1);
    expect(registered().shortcut).toEqual(Object.values(SHORTCUT));
  });
});
