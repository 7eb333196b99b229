import type { Hands, LocalSlack, Message, Screen, ViewRecord } from '../slack/index.ts';

/** Tells a walk to the terminal: who does what, and what that person then reads on the screen. */
export interface Teller {
  chapter(title: string): void;
  does(person: Hands, what: string): void;
  /** Types after `/proxy`. */
  types(person: Hands, text: string): Promise<void>;
  /** Waits until it is on that person's screen, and prints it; `words` are those of a message. */
  sees<T extends Message | ViewRecord>(person: Hands, look: (screen: Screen) => T | undefined): Promise<T>;
  sees(person: Hands, words: string): Promise<Message>;
  says(text: string): void;
}

/** A vendor that is waited for in vain answers no sooner than its time-out; all else takes milliseconds. */
const PATIENCE_MS = 10_000;

export function createTeller(slack: LocalSlack, write: (text: string) => void): Teller {
  const name = ({ user }: Hands) => slack.state.people[user]?.realName ?? user;
  const does = (person: Hands, what: string) => write(`\n> ${name(person)} ${what}\n`);
  return {
    chapter: (title) => write(`\n\n=== ${title} ===\n`),
    does,
    async types(person, text) {
      does(person, `types /proxy ${text}`);
      await person.command('/proxy', text);
    },
    async sees<T extends Message | ViewRecord>(person: Hands, what: string | ((screen: Screen) => T | undefined)) {
      const look = (screen: Screen) => (typeof what === 'function' ? what(screen) : latestWith(person, screen, what));
      const found = await person.waitFor<T | Message>(look, { timeout: PATIENCE_MS });
      write(`  ${name(person)} sees:\n${indent(person.read(found))}\n`);
      return found as T & Message;
    },
    says: (text) => write(`\n  ${text}\n`),
  };
}

/** The newest message with these words, wherever that person can read it. */
export function latestWith(person: Hands, screen: Screen, words: string): Message | undefined {
  return screen.messages.findLast((message) => person.read(message).includes(words));
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    | ${line}`)
    .join('\n');
}
