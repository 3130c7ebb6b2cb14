export type PartyRole = 'payers' | 'administrators' | 'providers' | 'contractingEntities'

type RoleWords = readonly (readonly [PartyRole, RegExp])[]

// In this order: a "Plan Administrator" is no plan, a "Provider Network" no provider.
const terms: RoleWords = [
  ['administrators', /\b(?:third[\s-]party\s+administrator|administrator|TPA)\b/i],
  [
    'contractingEntities',
    /\b(?:contracting\s+entity|IPA|independent\s+practice\s+association|PHO|physician[\s-]hospital\s+organization|ACO|accountable\s+care\s+organization|clinically\s+integrated\s+network|CIN|MSO|messenger|contractor|contracts\s+with\s+providers)\b/i,
  ],
  [
    'providers',
    /\b(?:providers?|hospitals?|facility|group|practice|physicians?|clinic|dentist|laborator(?:y|ies)|surgery\s+center|agency|supplier|system|specialist|consultants|chiropractor|therapist|ambulance|professional\s+(?:association|corporation)|medical\s+(?:group|center))\b/i,
  ],
  [
    'payers',
    /\b(?:payer|payor|health\s+plan|plan|insurer|carrier|HMO|MCO|health\s+maintenance\s+organization|insurance\s+company|company|managed\s+care\s+organization|trust)\b/i,
  ],
]

const names: RoleWords = [
  ['administrators', /\b(?:administrators?|TPA|claims\s+services|benefits?\s+management)\b/i],
  [
    'contractingEntities',
    /\b(?:IPA|PHO|ACO|independent\s+(?:practice|physician)\s+association|physician[\s-]hospital\s+organization|accountable\s+care|preferred\s+provider\s+organization)\b/i,
  ],
  [
    'payers',
    /\b(?:health\s*plans?|insurance|assurance|HMO|blue\s*cross|blue\s*shield|benefit\s+trust|dental\s+plan|managed\s+care)\b/i,
  ],
  [
    'providers',
    /\b(?:hospitals?|clinics?|centers?|physicians?|medical|health\s+(?:system|centers?|partners|services)|associates|P\.?C\.?|P\.?A\.?|PLLC|P\.L\.L\.C\.?|surgery|surgical|therapy|rehab\w*|hospice|home\s+(?:care|health)|laborator(?:y|ies)|diagnostics|imaging|radiology|cardiology|dental|dentistry|orthop\w+|urology|oncology|pediatrics?|dialysis|kidney|counseling|recovery|nursing|pharmacy|supply|ambulance|transport|anesthesia|women['’]s|eye|vision|retina|spine|infusion|medicine|urgent\s+care|care)\b/i,
  ],
]

/** The role that a defined term or a description tells. */
export const termRole = (text: string): PartyRole | undefined =>
  terms.find(([, words]) => words.test(text))?.[0]

/** The role that a name suggests, of those that are asked about. */
export const nameRole = (
  name: string,
  roles: readonly PartyRole[] = ['payers', 'administrators', 'providers', 'contractingEntities'],
): PartyRole | undefined => names.find(([role, words]) => roles.includes(role) && words.test(name))?.[0]
