/** What a person has put together in an open view; lost with it, pruned after a day. */
export interface Draft<T> {
  readonly id: string;
  readonly user: string;
  readonly revision: number;
  readonly content: T;
}

export interface Drafts {
  create<T extends object>(user: string, content: T): Promise<Draft<T>>;
  /** Undefined where there is none, or it is another person's. */
  read<T extends object>(id: string, user: string): Promise<Draft<T> | undefined>;
  /** Read, change and write in one transaction. */
  update<T extends object>(id: string, user: string, change: (content: T) => T): Promise<Draft<T> | undefined>;
}
