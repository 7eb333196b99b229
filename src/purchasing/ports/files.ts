import type { Recipient, Undelivered } from './messenger.ts';

export interface NewFile {
  /** With its ending, by which people's programs open it. */
  readonly name: string;
  readonly title: string;
  readonly content: Uint8Array;
  /** What a picture says, for whoever does not see it. */
  readonly altText?: string;
}

/** What Slack calls it. */
export type Uploaded = { readonly fileId: string } | Undelivered;

/** A file whose bytes Slack has. */
export interface PutFile {
  readonly fileId: string;
  readonly title: string;
}

/** Puts files into Slack. */
export interface Files {
  /** Posts it, with some words; in one call that is never repeated: a repeated post is a second message. */
  share(to: Recipient, file: NewFile, words: string): Promise<Uploaded>;
  /** The bytes alone: nobody ever sees them, unless it is shared. May be done again. */
  put(file: NewFile): Promise<PutFile | Undelivered>;
  /** Posts what was put, as one message, with some words; in one call that is never repeated. */
  sharePut(to: Recipient, files: readonly PutFile[], words: string): Promise<Uploaded>;
  /** Nobody sees it yet: a block of a message shows it, by its id. */
  upload(file: NewFile): Promise<Uploaded>;
}
