module answers

go 1.19
