import type { Basket } from '../../src/purchasing/model/basket.ts';
import { allCountries } from '../../src/purchasing/model/countries.ts';

/** 25 countries with the longest names there are, in quantities of nine digits. */
export const LONGEST_BASKET: Basket = [...allCountries()]
  .sort((a, b) => b.name.length - a.name.length)
  .slice(0, 25)
  .map(({ code }) => ({ country: code, quantity: 999_999_999 }));
