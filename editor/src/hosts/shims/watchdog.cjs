/** The thread that ends the dev server when the Editor is gone: then the standard input closes. */
const { Socket } = require('node:net');

const { end } = require('./end.cjs');

const editor = new Socket({ fd: 0, readable: true, writable: false });
editor.on('error', end);
editor.on('close', end);
editor.resume();
