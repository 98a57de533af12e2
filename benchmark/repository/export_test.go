package repository

var ReasonOf = reasonOf
