import { failures } from './failures.ts';

failures('first');
