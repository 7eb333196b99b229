import { describe, expect, test } from 'vitest';
import {
  allCountries,
  countriesMeant,
  countryName,
  isCountry,
  searchCountries,
} from '../../src/purchasing/model/countries.ts';

const codes = (query: string, limit = 100) => searchCountries(query, limit).map(({ code }) => code);

describe('the list of countries', () => {
  test('is ISO 3166-1: 249 codes, each with one name that fits a Slack option', () => {
    const countries = allCountries();
    expect(countries).toHaveLength(249);
    expect(new Set(countries.map(({ code }) => code)).size).toBe(249);
    expect(new Set(countries.map(({ name }) => name)).size).toBe(249);
    for (const { code, name } of countries) {
      expect(code).toMatch(/^[A-Z]{2}$/);
      expect(name.length).toBeGreaterThan(3);
      expect(name.length).toBeLessThanOrEqual(75);
    }
  });

  test('has Norway under NO', () => {
    expect(isCountry('NO')).toBe(true);
    expect(countryName('NO')).toBe('Norway');
  });

  test.each(['UK', 'EU', 'XX', 'XK', 'us', 'USA', '', 'constructor', '__proto__', 'toString'])(
    'has no country %j',
    (code) => {
      expect(isCountry(code)).toBe(false);
      expect(countryName(code)).toBe(code);
    },
  );
});

describe('the type-ahead', () => {
  test('reaches every country by its name, code and lower-case name, first of all', () => {
    for (const { code, name } of allCountries()) {
      expect(codes(name)[0], name).toBe(code);
      expect(codes(name.toLowerCase())[0], name).toBe(code);
      expect(codes(code)[0], code).toBe(code);
    }
  });

  test('never gives more than Slack takes, nor one country twice', () => {
    for (const query of ['', 'u', 'ü', 'a', 'e', ' ', 'an']) {
      const found = codes(query);
      expect(found.length).toBeLessThanOrEqual(100);
      expect(new Set(found).size).toBe(found.length);
    }
    expect(codes('', 3)).toHaveLength(3);
  });

  test('begins with the commonest countries, then by name', () => {
    expect(codes('')).toHaveLength(100);
    expect(codes('').slice(0, 3)).toEqual(['US', 'GB', 'DE']);
    expect(codes('').indexOf('AF')).toBeLessThan(codes('').indexOf('AL'));
  });

  test.each([
    ['us', 'US'],
    ['uk', 'GB'],
    ['niger', 'NE'],
    ['oman', 'OM'],
    ['guinea', 'GN'],
    ['holl', 'NL'],
    ['türkiye', 'TR'],
    ['turkey', 'TR'],
    ['cote divoire', 'CI'],
    ['cote d ivoire', 'CI'],
    ['CÔTE D’IVOIRE', 'CI'],
    ['aland', 'AX'],
    ['curacao', 'CW'],
    ['ＤＥ', 'DE'],
    ['trinidad & tobago', 'TT'],
    ['  germany ', 'DE'],
    ['st lucia', 'LC'],
    ['states', 'US'],
  ])('answers %j with %s', (query, code) => {
    expect(codes(query)).toContain(code);
    if (query !== 'states') expect(codes(query)[0]).toBe(code);
  });

  test('prefers code, then whole name, start of name, start of word, anywhere', () => {
    expect(codes('is').slice(0, 2)).toEqual(['IS', 'IM']);
    expect(codes('man').indexOf('IM')).toBeLessThan(codes('man').indexOf('DE'));
    expect(codes('land')).toContain('PL');
  });

  test('offers each country that an ambiguous word may mean', () => {
    expect(codes('korea')).toEqual(['KR', 'KP']);
    expect(codes('congo')).toEqual(['CG', 'CD']);
  });

  test('does not match across the middle of words', () => {
    expect(codes('usa')).toEqual(['US']);
  });

  test('finds nothing for a word that every object has', () => {
    for (const word of ['constructor', '__proto__', 'hasOwnProperty']) expect(codes(word)).toEqual([]);
  });
});

describe('an alias', () => {
  test.each([
    ['USA', 'US'],
    ['U.S.', 'US'],
    ['America', 'US'],
    ['UK', 'GB'],
    ['England', 'GB'],
    ['Scotland', 'GB'],
    ['Wales', 'GB'],
    ['Great Britain', 'GB'],
    ['Holland', 'NL'],
    ['South Korea', 'KR'],
    ['North Korea', 'KP'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['Czechia', 'CZ'],
    ['Czech Republic', 'CZ'],
    ['UAE', 'AE'],
    ['Ivory Coast', 'CI'],
    ["Côte d'Ivoire", 'CI'],
    ['Russia', 'RU'],
    ['Vietnam', 'VN'],
    ['Viet Nam', 'VN'],
    ['Burma', 'MM'],
    ['Swaziland', 'SZ'],
    ['Macedonia', 'MK'],
    ['Deutschland', 'DE'],
    ['España', 'ES'],
    ['espana', 'ES'],
    ['Suisse', 'CH'],
    ['Brasil', 'BR'],
    ['DEU', 'DE'],
    ['gbr', 'GB'],
    ['Germany', 'DE'],
    ['Laos', 'LA'],
    ['Syria', 'SY'],
    ['Iran', 'IR'],
    ['Moldova', 'MD'],
    ['Macau', 'MO'],
    ['Cabo Verde', 'CV'],
    ['Vatican', 'VA'],
  ])('%s means %s', (word, code) => {
    expect(countriesMeant(word).named).toEqual([code]);
  });

  test.each([
    ['Korea', ['KR', 'KP']],
    ['Congo', ['CG', 'CD']],
    ['Virgin Islands', ['VG', 'VI']],
  ])('%s may mean several, the commonest first', (word, codes) => {
    expect([...countriesMeant(word).named].sort()).toEqual([...codes].sort());
    expect(countriesMeant(word).named[0]).toBe(codes[0]);
  });

  test('a part of a name means none, and is known to be a part', () => {
    expect(countriesMeant('leone')).toEqual({ named: [], inPart: ['SL'] });
    expect(countriesMeant('united').inPart).toContain('GB');
  });

  test.each([
    'EU',
    'XX',
    'Atlantis',
    '',
    ' ',
    'constructor',
    '__proto__',
    '\u0131e',
    'u\u017f',
    '\u00fcs',
    'ge\u0301r',
    'lan',
  ])('%j means nothing', (word) => {
    expect(countriesMeant(word)).toEqual({ named: [], inPart: [] });
  });
});
