import { userInfo } from 'node:os';
import { operator } from '../../purchasing/model/entries.ts';

/** Whoever is at the machine. In a container its user may have no name. */
export function theOperator(): string {
  try {
    return operator(userInfo().username);
  } catch {
    return operator(`uid ${process.getuid?.() ?? 'unknown'}`);
  }
}
