// Style sheets, fonts and images mean nothing to a test.
module.exports = '';
