/** One thing that keeps the program from starting. Never holds a value: the wrong one may be a secret in the wrong place. */
export interface Problem {
  readonly key: string;
  readonly problem: string;
  readonly remedy: string;
}
