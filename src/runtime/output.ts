import { fstatSync, writeSync } from 'node:fs';

export interface Output {
  write(line: string): void;
}

const STDOUT = 1;

/** Bytes kept for a slow reader; beyond that, lines are dropped. */
const WAITING_AT_MOST = 1_000_000;

/** Standard output that never throws and never blocks, on a full disk, a closed pipe, or a pipe that nobody reads. */
export function standardOutput(): Output {
  return fstatSync(STDOUT).isFIFO() || fstatSync(STDOUT).isSocket() ? intoPipe() : intoFile();
}

/** Node writes what the pipe has room for, and buffers the rest. */
function intoPipe(): Output {
  const { stdout } = process;
  stdout.on('error', () => {});
  return {
    write(line) {
      if (stdout.writableLength < WAITING_AT_MOST) stdout.write(line);
    },
  };
}

/** Node's own stream would write nothing more after one failed write. */
function intoFile(): Output {
  return {
    write(line) {
      try {
        writeSync(STDOUT, line);
      } catch {
        // This line is lost; the next one is tried again.
      }
    },
  };
}
