/**
 * A made-up population of providers for bench/directory.ts: people and organisations whose names are distributed like
 * real ones (a few surnames are very common, most are rare), with states, specialties, TINs and payers.
 * The same seed gives the same population.
 */

/** A small, fast generator of repeatable pseudo-random numbers. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }

  below(most: number): number {
    return Math.floor(this.next() * most)
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }

  /** One of the values, the first ones far more often: rank r comes up in proportion to 1/(r + 4). */
  early<Value>(values: readonly Value[]): Value {
    const [low, high] = [Math.log(4), Math.log(values.length + 4)]
    const place = Math.floor(Math.exp(low + this.next() * (high - low)) - 4)
    return values[Math.min(values.length - 1, Math.max(0, place))] as Value
  }
}

const list = (text: string) => text.trim().split(/\s+/)

const commonSurnames = list(`
  SMITH JOHNSON WILLIAMS BROWN JONES GARCIA MILLER DAVIS RODRIGUEZ MARTINEZ HERNANDEZ LOPEZ GONZALEZ WILSON ANDERSON THOMAS TAYLOR
  MOORE JACKSON MARTIN LEE PEREZ THOMPSON WHITE HARRIS SANCHEZ CLARK RAMIREZ LEWIS ROBINSON WALKER YOUNG ALLEN KING WRIGHT SCOTT
  TORRES NGUYEN HILL FLORES GREEN ADAMS NELSON BAKER HALL RIVERA CAMPBELL MITCHELL CARTER ROBERTS GOMEZ PHILLIPS EVANS TURNER DIAZ
  PARKER CRUZ EDWARDS COLLINS REYES STEWART MORRIS MORALES MURPHY COOK ROGERS GUTIERREZ ORTIZ MORGAN COOPER PETERSON BAILEY REED
  KELLY HOWARD RAMOS KIM COX WARD RICHARDSON WATSON BROOKS CHAVEZ WOOD JAMES BENNETT GRAY MENDOZA RUIZ HUGHES PRICE ALVAREZ
  CASTILLO SANDERS PATEL MYERS LONG ROSS FOSTER JIMENEZ POWELL JENKINS PERRY RUSSELL SULLIVAN BELL COLEMAN BUTLER HENDERSON BARNES
  GONZALES FISHER VASQUEZ SIMMONS ROMERO JORDAN PATTERSON ALEXANDER HAMILTON GRAHAM REYNOLDS GRIFFIN WALLACE MORENO WEST COLE HAYES
  BRYANT HERRERA GIBSON ELLIS TRAN MEDINA AGUILAR STEVENS MURRAY FORD CASTRO MARSHALL OWENS HARRISON FERNANDEZ MCDONALD WOODS
  WASHINGTON KENNEDY WELLS VARGAS HENRY CHEN FREEMAN WEBB TUCKER GUZMAN BURNS CRAWFORD OLSON SIMPSON PORTER HUNTER GORDON MENDEZ
  SILVA SHAW SNYDER MASON DIXON MUNOZ HUNT HICKS HOLMES PALMER WAGNER BLACK ROBERTSON BOYD ROSE STONE SALAZAR FOX WARREN MILLS
  MEYER RICE SCHMIDT GARZA DANIELS FERGUSON NICHOLS STEPHENS SOTO WEAVER RYAN GARDNER PAYNE GRANT DUNN KELLEY SPENCER HAWKINS
  O'BRIEN O'CONNOR MC-CARTHY ST-JAMES VAN-DYKE DE-LA-CRUZ LE HO WU LI XU YU NG SHAH KHAN SINGH GUPTA SHARMA RAO REDDY COHEN LEVY`).map(
  (name) => name.replaceAll('-', ' '),
)

const givenNames = list(`
  JAMES MARY MICHAEL PATRICIA ROBERT JENNIFER JOHN LINDA DAVID ELIZABETH WILLIAM BARBARA RICHARD SUSAN JOSEPH JESSICA THOMAS KAREN
  CHRISTOPHER SARAH CHARLES LISA DANIEL NANCY MATTHEW SANDRA ANTHONY ASHLEY MARK EMILY STEVEN KIMBERLY DONALD BETTY ANDREW MARGARET
  JOSHUA DONNA PAUL MICHELLE KENNETH CAROL KEVIN AMANDA BRIAN MELISSA TIMOTHY DEBORAH RONALD STEPHANIE JASON REBECCA GEORGE LAURA
  EDWARD HELEN JEFFREY SHARON RYAN CYNTHIA JACOB KATHLEEN NICHOLAS AMY GARY SHIRLEY ERIC ANGELA JONATHAN ANNA STEPHEN RUTH LARRY
  BRENDA JUSTIN PAMELA SCOTT NICOLE BRANDON KATHERINE BENJAMIN SAMANTHA SAMUEL CHRISTINE GREGORY CATHERINE ALEXANDER VIRGINIA PATRICK
  DEBRA FRANK RACHEL RAYMOND JANET JACK EMMA DENNIS CAROLYN JERRY MARIA TYLER HEATHER AARON DIANE JOSE JULIE ADAM JOYCE NATHAN EVELYN
  HENRY JOAN ZACHARY VICTORIA DOUGLAS KELLY PETER CHRISTINA KYLE LAUREN NOAH FRANCES ETHAN MARTHA JEREMY JUDITH CHRISTIAN CHERYL
  WALTER MEGAN KEITH ANDREA AUSTIN OLIVIA ROGER ANN TERRY JEAN SEAN ALICE GERALD JACQUELINE CARL HANNAH DYLAN DORIS HAROLD KATHRYN
  JORDAN GLORIA JESSE TERESA BRYAN SARA LAWRENCE JANICE ARTHUR MARIE GABRIEL JULIA BRUCE GRACE LOGAN JUDY WEI PRIYA ANIL SANJAY
  AMIT NEHA FATIMA AHMED MOHAMMED YUKI HIROSHI CARLOS LUIS JUAN ROSA ELENA SOFIA DMITRI OLGA IGOR SVETLANA`)

const starts = list(
  'BA BE BRA CAR CHA DA DEL DRA EL FAR GOL GRE HAL HOL JAN KA KOW KRI LAN LUN MAR MC MEN NOR OLS PAR PE QUI RAD RO SAN SCHU STA TAN UL VAN WAL WIN YAR ZIM',
)
const middles = list('BA CKE DE FI GAN HAR KI LA LEN MA MER NA NI PO RA RI SA SE TA TI VA WE ZA ENS ING OR')
const ends = list(
  'BERG SON MAN STEIN LEY TON SKI WICZ ELLI INI EZ OV ENKO IAN ARD ETT FORD WELL WORTH HOUSE GER MANN ER AU IC AS IS ANI OLA URA EIRA',
)

const cities = list(`
  HOUSTON PHOENIX DALLAS AUSTIN COLUMBUS CHARLOTTE SEATTLE DENVER BOSTON NASHVILLE PORTLAND MEMPHIS LOUISVILLE BALTIMORE MILWAUKEE
  ALBUQUERQUE TUCSON FRESNO SACRAMENTO ATLANTA OMAHA RALEIGH MIAMI CLEVELAND TULSA OAKLAND MINNEAPOLIS WICHITA ARLINGTON TAMPA
  BAKERSFIELD HONOLULU ANAHEIM AURORA LEXINGTON STOCKTON CINCINNATI PITTSBURGH ANCHORAGE GREENSBORO PLANO NEWARK LINCOLN ORLANDO
  IRVINE TOLEDO JERSEY CHANDLER LAREDO MADISON BUFFALO LUBBOCK SCOTTSDALE RENO GLENDALE GILBERT WINSTON NORFOLK CHESAPEAKE GARLAND
  FREMONT RICHMOND BOISE SPOKANE MODESTO TACOMA FONTANA SALINAS YONKERS ROCHESTER SHREVEPORT AUGUSTA AKRON MOBILE AMARILLO KNOXVILLE
  WORCESTER BROWNSVILLE OVERLAND SANTA CLARA ROSWELL SPRINGFIELD RIVERSIDE LAKEWOOD FAIRVIEW CEDAR OAK MAPLE VALLEY SUMMIT HARBOR
  PINE LAKE RIVER MOUNTAIN DESERT PRAIRIE COASTAL BAY ISLAND NORTHSIDE SOUTHSIDE EASTSIDE WESTSIDE DOWNTOWN HILLTOP CRESCENT`)
const saints = list(
  'ST MARY|ST JOSEPH|ST LUKE|ST FRANCIS|ST ANTHONY|SAINT VINCENT|ST JOHN|SAINT AGNES|HOLY CROSS|GOOD SAMARITAN|SACRED HEART|MOUNT SINAI'.replaceAll(
    ' ',
    '_',
  ),
)
  .flatMap((text) => text.split('|'))
  .map((text) => text.replaceAll('_', ' '))
const subjects =
  'FAMILY|INTERNAL|PEDIATRIC|ORTHOPEDIC|CARDIOLOGY|DERMATOLOGY|EYE|DENTAL|WOMENS HEALTH|BEHAVIORAL HEALTH|PHYSICAL THERAPY|PAIN|SPINE|URGENT CARE|HOME HEALTH|HOSPICE|IMAGING|RADIOLOGY|ANESTHESIA|ONCOLOGY|SURGERY|CHIROPRACTIC|PHARMACY|LABORATORY|REHABILITATION|NEUROLOGY|UROLOGY|GASTROENTEROLOGY|PODIATRY|OPTOMETRY|PSYCHIATRY|COUNSELING|SLEEP|VEIN|ALLERGY'.split(
    '|',
  )
const kinds =
  'MEDICAL CENTER|CLINIC|ASSOCIATES|MEDICAL GROUP|CENTER|HOSPITAL|SERVICES|PHYSICIANS|CARE|MEDICINE|PRACTICE|PARTNERS|SPECIALISTS|INSTITUTE|HEALTH SYSTEM'.split(
    '|',
  )
const forms = ['', '', '', ' LLC', ' INC', ' PC', ' PLLC', ' PA', ' LLP']
export const stateCodes = list(
  'CA TX FL NY PA IL OH GA NC MI NJ VA WA AZ MA TN IN MO MD WI CO MN SC AL LA KY OR OK CT UT IA NV AR MS KS NM NE ID WV HI NH ME RI MT DE SD ND AK DC VT WY',
)
const taxonomyCodes = list(
  '207Q00000X 207R00000X 208000000X 207RC0000X 363LF0000X 1223G0001X 225100000X 101YM0800X 1041C0700X 152W00000X 111N00000X 207X00000X 208600000X 207V00000X 2084P0800X 207P00000X 207L00000X 2085R0202X 183500000X 363A00000X 235Z00000X 225X00000X 213E00000X 207W00000X 208D00000X',
)
const groupTaxonomies = list(
  '261QM1300X 282N00000X 3336C0003X 332B00000X 251E00000X 261QU0200X 193200000X 261QP2300X 291U00000X 314000000X',
)
const degrees = ['M.D.', 'D.O.', 'N.P.', 'PA-C', 'DDS', 'PT', 'LCSW', 'RN', 'PHD', 'O.D.', 'D.C.', '']
export const payerNames = Array.from({ length: 20 }, (_, place) => `Payer ${String.fromCharCode(65 + place)}`)

export interface MadeProvider {
  readonly npi: number
  readonly individual: boolean
  readonly name: string
  readonly others: readonly string[]
  readonly credentials: string
  readonly taxonomies: readonly string[]
  readonly state: string
  readonly county: string
  readonly tins: readonly string[]
  /** Places in `payerNames`. */
  readonly payers: readonly number[]
}

/** The population, one by one, in order of NPI. */
export function* population(size: number, seed = 7): Generator<MadeProvider> {
  const dice = new Dice(seed)
  const surnames = [
    ...commonSurnames,
    ...madeNames(new Dice(seed + 1), Math.min(400_000, 2_000 + Math.floor(size / 20))),
  ]
  const given = [
    ...givenNames,
    ...madeNames(new Dice(seed + 2), Math.min(40_000, 500 + Math.floor(size / 200))),
  ]
  const brands = madeNames(new Dice(seed + 3), Math.min(120_000, 1_000 + Math.floor(size / 60)))
  const groupTins = Math.max(1, Math.floor(size / 12))
  let npi = 1_000_000_000
  for (let place = 0; place < size; place++) {
    npi += 1 + dice.below(Math.floor(1_900_000_000 / size))
    const individual = dice.next() < 0.78
    const name = individual ? person(dice, given, surnames) : organisation(dice, surnames, brands)
    const renowned = dice.next() ** 3
    yield {
      npi,
      individual,
      name,
      others:
        dice.next() < 0.12
          ? [individual ? person(dice, given, surnames) : organisation(dice, surnames, brands)]
          : [],
      credentials: individual ? dice.of(degrees) : '',
      taxonomies: individual
        ? dice.next() < 0.2
          ? [dice.early(taxonomyCodes), dice.of(taxonomyCodes)]
          : [dice.early(taxonomyCodes)]
        : [dice.early(groupTaxonomies)],
      state: dice.early(stateCodes),
      county: `${dice.early(cities)} ${dice.below(20)}`,
      tins: Array.from({ length: dice.next() < 0.25 ? 2 : 1 }, () =>
        String(10_000_000 + dice.below(groupTins) * 97).padStart(9, '0'),
      ),
      payers: payerNames.flatMap((_, payer) => (dice.next() < renowned * (1 - payer / 25) ? [payer] : [])),
    }
  }
}

function person(dice: Dice, given: readonly string[], surnames: readonly string[]): string {
  const middle = dice.next()
  const between =
    middle < 0.35
      ? ''
      : middle < 0.75
        ? ` ${String.fromCharCode(65 + dice.below(26))}`
        : ` ${dice.early(given)}`
  const suffix = dice.next() < 0.02 ? ' JR' : ''
  const hyphen = dice.next() < 0.03 ? `-${dice.early(surnames)}` : ''
  return `${dice.early(given)}${between} ${dice.early(surnames)}${hyphen}${suffix}`
}

function organisation(dice: Dice, surnames: readonly string[], brands: readonly string[]): string {
  const kind = dice.next()
  const lead =
    kind < 0.4
      ? dice.early(cities)
      : kind < 0.6
        ? dice.of(brands)
        : kind < 0.8
          ? dice.early(surnames)
          : kind < 0.9
            ? `${dice.of(saints)} ${dice.early(cities)}`
            : `${dice.of(brands)} ${dice.early(cities)}`
  return `${lead} ${dice.early(subjects)} ${dice.early(kinds)}${dice.of(forms)}`
}

function madeNames(dice: Dice, size: number): string[] {
  const names = new Set<string>()
  while (names.size < size) {
    const parts = [dice.of(starts)]
    for (let more = dice.below(3); more > 0; more--) parts.push(dice.of(middles))
    parts.push(dice.of(ends))
    names.add(parts.join(''))
  }
  return [...names]
}
