/** Where the demo's providers practise: eight states, real ZIP codes, how dear the place is, and its CCN prefix. */
export interface DemoState {
  readonly state: string
  readonly ccnPrefix: string
  /** Price level against the nation. */
  readonly level: number
  /** How many of a hundred providers practise here. */
  readonly weight: number
  readonly places: readonly (readonly [zip: string, city: string, county: string])[]
}

export const demoStates: readonly DemoState[] = [
  {
    state: 'CA',
    ccnPrefix: '05',
    level: 1.1,
    weight: 20,
    places: [
      ['90012', 'Los Angeles', 'Los Angeles'],
      ['94110', 'San Francisco', 'San Francisco'],
      ['92101', 'San Diego', 'San Diego'],
      ['95814', 'Sacramento', 'Sacramento'],
      ['93721', 'Fresno', 'Fresno'],
      ['90806', 'Long Beach', 'Los Angeles'],
    ],
  },
  {
    state: 'TX',
    ccnPrefix: '45',
    level: 1,
    weight: 16,
    places: [
      ['77030', 'Houston', 'Harris'],
      ['75201', 'Dallas', 'Dallas'],
      ['78205', 'San Antonio', 'Bexar'],
      ['78701', 'Austin', 'Travis'],
      ['79901', 'El Paso', 'El Paso'],
      ['76102', 'Fort Worth', 'Tarrant'],
    ],
  },
  {
    state: 'FL',
    ccnPrefix: '10',
    level: 0.97,
    weight: 13,
    places: [
      ['33136', 'Miami', 'Miami-Dade'],
      ['33602', 'Tampa', 'Hillsborough'],
      ['32801', 'Orlando', 'Orange'],
      ['32202', 'Jacksonville', 'Duval'],
      ['33401', 'West Palm Beach', 'Palm Beach'],
      ['32301', 'Tallahassee', 'Leon'],
    ],
  },
  {
    state: 'NY',
    ccnPrefix: '33',
    level: 1.14,
    weight: 14,
    places: [
      ['10016', 'New York', 'New York'],
      ['11201', 'Brooklyn', 'Kings'],
      ['14203', 'Buffalo', 'Erie'],
      ['14604', 'Rochester', 'Monroe'],
      ['12208', 'Albany', 'Albany'],
      ['10467', 'Bronx', 'Bronx'],
    ],
  },
  {
    state: 'IL',
    ccnPrefix: '14',
    level: 1,
    weight: 11,
    places: [
      ['60612', 'Chicago', 'Cook'],
      ['60637', 'Chicago', 'Cook'],
      ['62701', 'Springfield', 'Sangamon'],
      ['61602', 'Peoria', 'Peoria'],
      ['61101', 'Rockford', 'Winnebago'],
      ['60505', 'Aurora', 'Kane'],
    ],
  },
  {
    state: 'PA',
    ccnPrefix: '39',
    level: 0.96,
    weight: 10,
    places: [
      ['19104', 'Philadelphia', 'Philadelphia'],
      ['15213', 'Pittsburgh', 'Allegheny'],
      ['17101', 'Harrisburg', 'Dauphin'],
      ['18103', 'Allentown', 'Lehigh'],
      ['16501', 'Erie', 'Erie'],
      ['18503', 'Scranton', 'Lackawanna'],
    ],
  },
  {
    state: 'GA',
    ccnPrefix: '11',
    level: 0.94,
    weight: 9,
    places: [
      ['30303', 'Atlanta', 'Fulton'],
      ['30342', 'Atlanta', 'Fulton'],
      ['31401', 'Savannah', 'Chatham'],
      ['30901', 'Augusta', 'Richmond'],
      ['31201', 'Macon', 'Bibb'],
      ['31901', 'Columbus', 'Muscogee'],
    ],
  },
  {
    state: 'CO',
    ccnPrefix: '06',
    level: 1.03,
    weight: 7,
    places: [
      ['80202', 'Denver', 'Denver'],
      ['80045', 'Aurora', 'Adams'],
      ['80903', 'Colorado Springs', 'El Paso'],
      ['80524', 'Fort Collins', 'Larimer'],
      ['81003', 'Pueblo', 'Pueblo'],
      ['80304', 'Boulder', 'Boulder'],
    ],
  },
]
