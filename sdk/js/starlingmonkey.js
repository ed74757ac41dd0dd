// What galley.js needs in a component of componentize-js.

import * as sql from 'galley:sql/sql@1.0.0';

import { connect } from './sql.js';

connect(sql, BigInt);
