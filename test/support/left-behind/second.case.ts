import { failures } from './failures.ts';

failures('second');
