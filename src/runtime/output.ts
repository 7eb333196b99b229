import { fstatSync, writeSync } from 'node:fs';

export interface Output {
  write(line: string): void;
}

const STDOUT = 1;

/** Some thousand lines for a reader that is slow; of one that has stopped, the rest is lost rather than kept. */
const WAITING_AT_MOST = 1_000_000;

/** Standard output, whatever has become of it: a full disk, a closed pipe or a reader that has stopped neither throws nor blocks. */
export function standardOutput(): Output {
  return fstatSync(STDOUT).isFIFO() || fstatSync(STDOUT).isSocket() ? intoPipe() : intoFile();
}

/** Node writes at once what the pipe has room for, and keeps the rest. */
function intoPipe(): Output {
  const { stdout } = process;
  stdout.on('error', () => {});
  return {
    write(line) {
      if (stdout.writableLength < WAITING_AT_MOST) stdout.write(line);
    },
  };
}

/** Through Node's own stream, one failed write would be the last. */
function intoFile(): Output {
  return {
    write(line) {
      try {
        writeSync(STDOUT, line);
      } catch {
        // There is nowhere else to say it; once there is room, the next line is written again.
      }
    },
  };
}
