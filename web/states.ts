const lines =
  'Alabama AL;Alaska AK;American Samoa AS;Arizona AZ;Arkansas AR;California CA;Colorado CO;Connecticut CT;Delaware DE;District of Columbia DC;Florida FL;Georgia GA;Guam GU;Hawaii HI;Idaho ID;Illinois IL;Indiana IN;Iowa IA;Kansas KS;Kentucky KY;Louisiana LA;Maine ME;Maryland MD;Massachusetts MA;Michigan MI;Minnesota MN;Mississippi MS;Missouri MO;Montana MT;Nebraska NE;Nevada NV;New Hampshire NH;New Jersey NJ;New Mexico NM;New York NY;North Carolina NC;North Dakota ND;Northern Mariana Islands MP;Ohio OH;Oklahoma OK;Oregon OR;Pennsylvania PA;Puerto Rico PR;Rhode Island RI;South Carolina SC;South Dakota SD;Tennessee TN;Texas TX;Utah UT;Vermont VT;Virgin Islands VI;Virginia VA;Washington WA;West Virginia WV;Wisconsin WI;Wyoming WY'

/** The two letters of a state by its name in full. */
export const stateLetters: Readonly<Record<string, string>> = Object.fromEntries(
  lines.split(';').map((line) => [line.slice(0, -3), line.slice(-2)]),
)

/** The name of a state by its letters. */
export const stateNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(stateLetters).map(([name, letters]) => [letters, name]),
)
