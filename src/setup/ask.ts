import * as clack from '@clack/prompts';

/** Whoever runs it has ended it: by Ctrl-C, or by closing the terminal. */
export class GivenUp extends Error {}

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** What is wrong with what was typed, as a sentence; undefined: nothing. */
type Fault = (typed: string) => string | undefined;

/** Questions and what is said between them. Each question throws GivenUp where it is not answered. */
export interface Ask {
  begin(title: string): void;
  say(text: string): void;
  good(text: string): void;
  warn(text: string): void;
  bad(text: string): void;
  /** In lines of its own, with nothing before or within it: to be copied. */
  toCopy(text: string): void;
  end(text: string): void;
  choose<T extends string>(question: string, choices: readonly Choice<T>[], now?: T): Promise<T>;
  /** One of many, found by typing. What is `always` offered then stands at the end. */
  find(question: string, choices: readonly (Choice<string> & { always?: true })[], now?: string): Promise<string>;
  chooseSeveral(
    question: string,
    choices: readonly Choice<string>[],
    now: readonly string[],
    least: 0 | 1,
  ): Promise<readonly string[]>;
  text(question: string, now: string, fault: Fault): Promise<string>;
  /** Shown as dots, and cleared where it is wrong. */
  secret(question: string, fault: Fault): Promise<string>;
  yesOrNo(question: string, now: boolean): Promise<boolean>;
  /** What is typed meanwhile is neither shown nor kept. */
  wait<T>(doing: string, work: () => Promise<T>): Promise<T>;
  /** Gives the terminal back. */
  close(): void;
}

/** Ctrl-C and Ctrl-D. */
const ENDING = ['\u0003', '\u0004'];

/** More are not seen at a glance: then they are found by typing. */
const SEEN_AT_A_GLANCE = 12;

export function createAsk({ stdin, stdout }: Terminal): Ask {
  const gone = new AbortController();
  const given = new Promise<never>((_, reject) => {
    gone.signal.addEventListener('abort', () => reject(new GivenUp()), { once: true });
  });
  // Heard where somebody waits for it.
  given.catch(() => undefined);
  stdin.once('end', () => gone.abort());
  stdin.on('keypress', (_text: unknown, key: { ctrl?: boolean; name?: string } | undefined) => {
    if (key?.ctrl && key.name === 'd') gone.abort();
  });
  // Between two questions too: what is pasted then must not be shown.
  const setRawMode = stdin.setRawMode.bind(stdin);
  stdin.setRawMode = () => setRawMode(true);
  setRawMode(true);
  // A slow line splits an arrow key into Esc and the rest: that must not throw all answers away.
  clack.settings.aliases.delete('escape');
  const common = { input: stdin, output: stdout, signal: gone.signal };
  const answered = <T>(answer: T | typeof clack.CANCEL_SYMBOL): T => {
    if (clack.isCancel(answer)) throw new GivenUp();
    return answer as T;
  };
  const say = (how: 'message' | 'success' | 'warn' | 'error' | 'step') => (text: string) =>
    clack.log[how](wrapped(text, stdout.columns - MARGIN), { output: stdout });

  return {
    begin: (title) => clack.intro(title, { output: stdout }),
    say: say('message'),
    good: say('success'),
    warn: say('warn'),
    bad: say('error'),
    toCopy: (text) => void stdout.write(`\n${text}\n\n`),
    end: (text) => clack.outro(text, { output: stdout }),
    choose: async (question, choices, now) =>
      answered(
        await clack.select<string>({
          ...common,
          message: question,
          options: [...choices],
          ...(now !== undefined && { initialValue: now }),
        }),
      ) as (typeof choices)[number]['value'],
    find: async (question, choices, now) =>
      answered(
        await clack.autocomplete<string>({
          ...common,
          message: question,
          maxItems: SEEN_AT_A_GLANCE,
          options() {
            if (this.userInput === '') return [...choices];
            const found = choices.filter(({ label, always }) => !always && includes(label, this.userInput));
            return [...found, ...choices.filter(({ always }) => always)];
          },
          ...(now !== undefined && { initialValue: now }),
        }),
      ),
    async chooseSeveral(question, choices, now, least) {
      const asked = { ...common, message: question, initialValues: [...now], required: least > 0 };
      if (choices.length <= SEEN_AT_A_GLANCE)
        return answered(await clack.multiselect({ ...asked, options: [...choices] }));
      const chosen = answered(
        await clack.autocompleteMultiselect({
          ...asked,
          // What is chosen is in sight.
          options: choices.toSorted((a, b) => Number(now.includes(b.value)) - Number(now.includes(a.value))),
          maxItems: SEEN_AT_A_GLANCE,
          filter: (typed, { label = '' }) => includes(label, typed),
        }),
      );
      say('message')(choices.flatMap(({ value, label }) => (chosen.includes(value) ? label : [])).join('\n'));
      return chosen;
    },
    text: async (question, now, fault) =>
      answered(
        await clack.text({
          ...common,
          message: question,
          initialValue: now,
          validate: (typed) => fault((typed ?? '').trim()),
        }),
      ).trim(),
    secret: async (question, fault) =>
      answered(
        await clack.password({
          ...common,
          message: question,
          validate: (typed) => fault(typed ?? ''),
          clearOnError: true,
        }),
      ),
    yesOrNo: async (question, now) =>
      answered(await clack.confirm({ ...common, message: question, initialValue: now })),
    async wait(doing, work) {
      say('step')(doing);
      const hear = (typed: Buffer | string) => {
        if (ENDING.some((sign) => typed.toString().includes(sign))) gone.abort();
      };
      stdin.on('data', hear).resume();
      try {
        return await Promise.race([work(), given]);
      } finally {
        stdin.off('data', hear).pause();
      }
    },
    close() {
      stdin.setRawMode = setRawMode;
      setRawMode(false);
    },
  };
}

/** Before each line that is said, and one after. */
const MARGIN = 4;

/** A terminal breaks a line in the middle of a word. */
function wrapped(text: string, width: number): string {
  const broken = (line: string) =>
    line.replace(new RegExp(`(.{1,${Math.max(width, 20)}})(?: +|$)`, 'g'), '$1\n').trimEnd();
  return text.split('\n').map(broken).join('\n');
}

function includes(label: string, typed: string): boolean {
  return label.toLowerCase().includes(typed.trim().replace(/^[#@]/, '').toLowerCase());
}
