export * from '../support/afterwards.ts';
export * from './purchases.ts';
