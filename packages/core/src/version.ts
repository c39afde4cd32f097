/** Of all packages: they are released together. A test holds it to the package files. */
export const version = "0.1.0";
