/**
 * The tables of `rates/ledger.sqlite`. A step is added, never changed: `user_version` says how many were taken.
 * Addresses stand here without tokens; docs/data-model.md explains each table.
 */
export const ledgerSteps: readonly string[] = [
  `
  create table runs (
    id integer primary key,
    started_at text not null,
    ended_at text,
    state text not null,
    sources text not null,
    options text not null,
    progress text not null default '{}',
    says text
  ) strict;

  -- One row for each state of a file that was read: the same address with other bytes is another row.
  create table files (
    id integer primary key,
    address text not null,
    entry text not null default '',
    digest text not null,
    filter text not null default '',
    state text not null,
    kind text not null,
    packing text not null default '',
    size integer not null default 0,
    etag text,
    last_modified text,
    schema_version text,
    reporting_entity text,
    reporting_entity_type text,
    last_updated_on text,
    plan integer references plans (id),
    stage text,
    remote text,
    counts text not null default '{}',
    says text,
    read_at text not null,
    unique (address, entry, digest, filter)
  ) strict;
  create index files_by_digest on files (digest, filter);

  create table findings (
    file integer not null references files (id) on delete cascade,
    kind text not null,
    severity text not null,
    count integer not null,
    says text not null,
    path text not null,
    offset integer,
    primary key (file, kind)
  ) strict, without rowid;

  -- What a payer's month is made of.
  create table month_files (
    payer text not null,
    month integer not null,
    address text not null,
    entry text not null,
    file integer not null references files (id),
    month_by text not null,
    primary key (payer, month, address, entry)
  ) strict, without rowid;
  create index month_files_by_file on month_files (file);

  create table months (
    payer text not null,
    month integer not null,
    build text,
    bytes integer not null default 0,
    counts text not null default '{}',
    published_at text,
    primary key (payer, month)
  ) strict, without rowid;

  create table plans (
    id integer primary key,
    name text not null,
    id_type text not null,
    plan_id text not null,
    market text not null,
    issuer text not null,
    sponsor text not null,
    unique (name, id_type, plan_id, market, issuer, sponsor)
  ) strict;

  create table indexes (
    id integer primary key,
    address text not null,
    digest text not null,
    etag text,
    last_modified text,
    reporting_entity text,
    last_updated_on text,
    version text,
    says text,
    read_at text not null,
    unique (address, digest)
  ) strict;
  create table listed_files (
    id integer primary key,
    address text not null,
    kind text not null,
    description text not null,
    unique (address, kind)
  ) strict;

  -- Files that an index lists together, once however many plans share them.
  create table file_sets (
    id integer primary key,
    index_id integer not null references indexes (id) on delete cascade,
    key text not null,
    unique (index_id, key)
  ) strict;
  create table file_set_files (
    file_set integer not null references file_sets (id) on delete cascade,
    listed integer not null references listed_files (id),
    primary key (file_set, listed)
  ) strict, without rowid;
  create index file_set_files_by_file on file_set_files (listed);
  create table file_set_plans (
    file_set integer not null references file_sets (id) on delete cascade,
    plan integer not null references plans (id),
    primary key (file_set, plan)
  ) strict, without rowid;
  create table month_indexes (
    payer text not null,
    month integer not null,
    index_id integer not null references indexes (id),
    primary key (payer, month, index_id)
  ) strict, without rowid;
  `,
  `
  -- An index is not read again while it is the same, unless it signs its addresses: those are not kept.
  alter table indexes add column size integer;
  alter table indexes add column signed integer not null default 0;
  `,
]
