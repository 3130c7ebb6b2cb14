import { words } from '../src/search/words.ts'
import { Dice, type MadeProvider } from './directory-corpus.ts'

export const queryClasses = [
  'exact',
  'reordered',
  'prefix',
  'partial',
  'one typo',
  'two typos',
  'glued',
  'abbreviations',
  'identifiers',
  'filtered',
] as const
export type QueryClass = (typeof queryClasses)[number]

/** A question whose answer is known. */
export interface Query {
  readonly kind: QueryClass
  readonly text: string
  /** The name of the one that was meant. */
  readonly meant: string
  readonly states?: string[]
  readonly taxonomyCodes?: string[]
  /** Whether an answer is the one that was meant: the same name, as nobody can tell namesakes apart. */
  isMeant(found: { readonly npi: number; readonly name: string; readonly others: string }): boolean
  /**
   * Whether an answer satisfies everything that was typed, as the one that was meant does. Where more than ten do,
   * ten of them are as right an answer as any.
   */
  isAsGood?(found: { readonly name: string; readonly others: string; readonly tins: string }): boolean
}

const perClass = 200

/** Two thousand questions about a sample of a population, two hundred of each class; the same for the same seed. */
export function queries(sample: readonly MadeProvider[], seed: number): Query[] {
  const dice = new Dice(seed)
  const people = shuffled(dice, sample)
  const made: Query[] = []
  const next = (fits: (provider: MadeProvider) => boolean = () => true): MadeProvider => {
    for (;;) {
      const provider = people.pop()
      if (provider === undefined) throw new Error('too few providers for the questions')
      if (fits(provider)) return provider
    }
  }
  for (const kind of queryClasses)
    for (let made_ = 0; made_ < perClass; made_++) made.push(query(kind, dice, next))
  return made
}

function query(
  kind: QueryClass,
  dice: Dice,
  next: (fits?: (provider: MadeProvider) => boolean) => MadeProvider,
): Query {
  const spaced = (text: string) => text.split(/[ -]+/)
  switch (kind) {
    case 'exact': {
      const target = next()
      return { kind, meant: target.name, text: target.name, isMeant: sameName(target) }
    }
    case 'reordered': {
      const target = next()
      return {
        kind,
        meant: target.name,
        text: shuffled(dice, spaced(target.name)).join(' '),
        isMeant: sameName(target),
      }
    }
    case 'prefix': {
      const target = next(({ name }) => (spaced(name).at(-1)?.length ?? 0) >= 4)
      const typed = spaced(target.name)
      const last = typed.at(-1) ?? ''
      typed[typed.length - 1] = last.slice(0, Math.max(3, Math.ceil(last.length * 0.6)))
      return {
        kind,
        meant: target.name,
        text: typed.join(' '),
        isMeant: sameName(target),
        isAsGood: bears(typed),
      }
    }
    case 'partial': {
      const target = next(({ name }) => words(name).length >= 3)
      const typed = spaced(target.name)
      typed.splice(dice.below(typed.length), 1)
      return {
        kind,
        meant: target.name,
        text: typed.join(' '),
        isMeant: sameName(target),
        isAsGood: bears(typed),
      }
    }
    case 'one typo': {
      const target = next(({ name }) => spaced(name).some((word) => word.length >= 4))
      return {
        kind,
        meant: target.name,
        text: slipped(dice, spaced(target.name), 1),
        isMeant: sameName(target),
      }
    }
    case 'two typos': {
      const target = next(({ name }) => spaced(name).filter((word) => word.length >= 4).length >= 2)
      return {
        kind,
        meant: target.name,
        text: slipped(dice, spaced(target.name), 2),
        isMeant: sameName(target),
      }
    }
    case 'glued': {
      const target = next()
      const typed = spaced(target.name)
      if (dice.next() < 0.3)
        return { kind, meant: target.name, text: typed.join(''), isMeant: sameName(target) }
      const place = dice.below(typed.length - 1)
      typed.splice(place, 2, `${typed[place]}${typed[place + 1]}`)
      return { kind, meant: target.name, text: typed.join(' '), isMeant: sameName(target) }
    }
    case 'abbreviations': {
      const target = next(({ name }) => spaced(name).some((word) => word in shortened))
      const typed = spaced(target.name).map((word) => shortened[word] ?? word)
      return { kind, meant: target.name, text: typed.join(' '), isMeant: sameName(target) }
    }
    case 'identifiers': {
      const target = next(({ payers }) => payers.length > 0)
      const choice = dice.below(3)
      const tin = target.tins[0] ?? ''
      if (choice === 0)
        return {
          kind,
          meant: target.name,
          text: tin,
          isMeant: ({ npi }) => npi === target.npi,
          isAsGood: ({ tins }) => tins.split(', ').includes(String(Number(tin))),
        }
      const text = String(target.npi).slice(0, choice === 1 ? 10 : 9)
      return { kind, meant: target.name, text, isMeant: ({ npi }) => npi === target.npi }
    }
    case 'filtered': {
      const target = next(({ individual }) => individual)
      const typed = words(target.name).filter((word) => word.length > 1)
      const ends = [typed[0] ?? '', typed.at(-1) ?? '']
      return {
        kind,
        meant: target.name,
        text: ends.join(' '),
        states: [target.state],
        ...(dice.next() < 0.5 && { taxonomyCodes: [target.taxonomies[0] ?? ''] }),
        isMeant: ({ npi }) => npi === target.npi,
        isAsGood: bears(ends),
      }
    }
  }
}

const sameName = (target: MadeProvider) => {
  const meant = keyed(target.name)
  return ({ name, others }: { name: string; others: string }) =>
    keyed(name) === meant || others.split(', ').some((other) => keyed(other) === meant)
}

const keyed = (name: string) => words(name).sort().join(' ')

/** Every typed word begins a word of one of the names, each another one. */
const bears = (typed: readonly string[]) => {
  const asked = typed.flatMap(words)
  return ({ name, others }: { name: string; others: string }) =>
    [name, ...others.split(', ')].some((one) => {
      const left = words(one)
      return asked.every((word) => {
        const at = left.findIndex((there) => there.startsWith(word))
        if (at >= 0) left.splice(at, 1)
        return at >= 0
      })
    })
}

const shortened: Record<string, string> = {
  MEDICAL: 'MED',
  CENTER: 'CTR',
  HOSPITAL: 'HOSP',
  SAINT: 'ST',
  ST: 'SAINT',
  MOUNT: 'MT',
  ASSOCIATES: 'ASSOC',
  SERVICES: 'SVCS',
  GROUP: 'GRP',
  HEALTH: 'HLTH',
  INSTITUTE: 'INST',
  FAMILY: 'FAM',
  PHARMACY: 'PHARM',
  LABORATORY: 'LAB',
  REHABILITATION: 'REHAB',
}

function slipped(dice: Dice, typed: string[], slips: number): string {
  const long = typed.flatMap((word, place) => (word.length >= 4 ? [place] : []))
  for (const place of shuffled(dice, long).slice(0, slips)) typed[place] = slip(dice, typed[place] ?? '')
  return typed.join(' ')
}

/** A word with one letter left out, put in, changed, or swapped with the next. */
function slip(dice: Dice, word: string): string {
  for (;;) {
    const at = dice.below(word.length)
    const letter = String.fromCharCode(65 + dice.below(26))
    const kind = dice.below(4)
    const made =
      kind === 0
        ? word.slice(0, at) + word.slice(at + 1)
        : kind === 1
          ? word.slice(0, at) + letter + word.slice(at)
          : kind === 2
            ? word.slice(0, at) + letter + word.slice(at + 1)
            : word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2)
    if (made !== word) return made
  }
}

function shuffled<Value>(dice: Dice, values: readonly Value[]): Value[] {
  const mixed = [...values]
  for (let place = mixed.length - 1; place > 0; place--) {
    const other = dice.below(place + 1)
    ;[mixed[place], mixed[other]] = [mixed[other] as Value, mixed[place] as Value]
  }
  return mixed
}
