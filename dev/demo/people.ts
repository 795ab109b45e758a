/** Fictional names that make lists and transcripts look realistic. */
const NAMES =
  'Aarav Sharma, Diya Patel, Vihaan Reddy, Ananya Iyer, Kabir Singh, Meera Nair, Arjun Deshmukh, Ishita Banerjee, ' +
  'Rohan Kulkarni, Saanvi Rao, Aditya Joshi, Kavya Menon, Dev Malhotra, Riya Chatterjee, Karthik Subramanian, ' +
  'Pooja Gupta, Nikhil Verma, Tanvi Shetty, Siddharth Bose, Neha Agarwal, Manish Yadav, Lakshmi Krishnan, ' +
  'Rahul Mehta, Sneha Pillai, Amit Chauhan, Divya Hegde, Varun Kapoor, Shreya Das, Harish Gowda, Priya Saxena, ' +
  'Imran Sheikh, Fatima Qureshi, Gurpreet Kaur, Joseph Fernandes, Anjali Mishra, Suresh Naidu, Bhavna Trivedi, ' +
  'Mohit Bansal, Radhika Apte, Ganesh Patil, Nandini Ghosh, Yash Thakur, Swati Jain, Prakash Shenoy, Komal Arora, ' +
  'Deepak Tiwari, Aparna Sen, Vivek Rathore, Geeta Pandey, Sameer Khan, Usha Raman, Tarun Sethi, Madhuri Gokhale, ' +
  'Ajay Solanki, Rekha Bhatt, Farhan Ansari, Chitra Venkatesh, Naveen Prasad, Sunita Kadam, Om Prakash Dubey';

export const PEOPLE: readonly string[] = NAMES.split(', ');

export const CITIES = ['Pune', 'Nashik', 'Nagpur', 'Kolhapur', 'Thane'] as const;
